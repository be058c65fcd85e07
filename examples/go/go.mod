module example.test/billing

go 1.21
