from backlot import BacklotError


def test_invoices_become_overdue_in_a_month(simulate):
    payments = simulate("payments", seed="billing")

    with payments.receive() as inbox:
        payments.fast_forward(days=31)
        webhook = inbox.expect("invoice.updated")

    statuses = {invoice["status"] for invoice in payments.fetch("/invoices?limit=100")["data"]}
    assert "overdue" in statuses
    assert webhook["body"]["data"]["collection"] == "invoices"


def test_an_outage_lasts_for_one_request(simulate):
    payments = simulate("payments")
    payments.add_rule(name="outage", kind="error", operation="listInvoices", config={"status": 503, "times": 1})

    try:
        payments.fetch("/invoices")
    except BacklotError as error:
        outage = error

    assert outage.status == 503
    assert payments.fetch("/invoices")["data"]
    assert [request["status"] for request in payments.read_logs(limit=2)["data"]] == [200, 503]
