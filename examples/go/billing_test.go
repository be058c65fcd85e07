package billing

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

func call(t *testing.T, method, url, key, body string, into any) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 400 {
		t.Fatalf("%s %s: %s", method, url, answer.Status)
	}
	if into == nil {
		return
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func TestInvoicesBecomeOverdueInAMonth(t *testing.T) {
	service, account := os.Getenv("BACKLOT_URL"), os.Getenv("BACKLOT_ACCOUNT_KEY")
	var api struct {
		ID  string `json:"id"`
		URL string `json:"url"`
		Key string `json:"apiKey"`
	}
	call(t, "POST", service+"/v1/simulations", account, `{"library":"payments"}`, &api)
	simulation := service + "/v1/simulations/" + api.ID
	t.Cleanup(func() { call(t, "DELETE", simulation, account, "", nil) })

	call(t, "POST", simulation+"/fast-forward", account, `{"hours":720}`, nil)

	var overdue struct {
		Data []map[string]any `json:"data"`
	}
	call(t, "GET", api.URL+"/invoices?status=overdue", api.Key, "", &overdue)
	if len(overdue.Data) == 0 {
		t.Fatal("no invoice is overdue")
	}
}
