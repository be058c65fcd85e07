CREATE SCHEMA backlot;
CREATE TABLE backlot.account (
    name text NOT NULL,
    terms text NOT NULL,
    is_suspended boolean DEFAULT false NOT NULL,
    credit_usd double precision NOT NULL
);
CREATE TABLE backlot.account_key (
    hash text NOT NULL,
    number bigint NOT NULL,
    account text NOT NULL,
    prefix text NOT NULL,
    terms text NOT NULL,
    is_revoked boolean DEFAULT false NOT NULL
);
ALTER TABLE backlot.account_key ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME backlot.account_key_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE backlot.delivery (
    simulation text NOT NULL,
    webhook text NOT NULL,
    number bigint NOT NULL,
    due_at bigint,
    world integer NOT NULL,
    text text NOT NULL
);
CREATE TABLE backlot.description (
    hash text NOT NULL,
    text text NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE backlot.dispatch (
    simulation text NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    world integer DEFAULT 0 NOT NULL,
    pulse bigint DEFAULT 0 NOT NULL,
    due_at bigint,
    lease text,
    leased_until timestamp with time zone,
    notes text DEFAULT ''::text NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE backlot.journal (
    simulation text NOT NULL,
    head bigint NOT NULL,
    tip text NOT NULL,
    at bigint NOT NULL,
    delta text NOT NULL,
    kept_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE backlot.journal_head (
    simulation text NOT NULL,
    head bigint NOT NULL,
    tip text NOT NULL,
    held_until timestamp with time zone,
    hold text,
    wake_at bigint
)
WITH (fillfactor='50');
CREATE TABLE backlot.lane (
    simulation text NOT NULL,
    webhook text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    dropped bigint DEFAULT 0 NOT NULL
);
CREATE TABLE backlot.outbox (
    id bigint NOT NULL,
    simulation text NOT NULL,
    webhook text NOT NULL,
    events integer NOT NULL,
    text text NOT NULL,
    done text DEFAULT ''::text NOT NULL
);
ALTER TABLE backlot.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME backlot.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE backlot.saved_state (
    simulation text NOT NULL,
    number integer NOT NULL,
    dump text NOT NULL
);
CREATE TABLE backlot.schema_version (
    version integer NOT NULL
);
CREATE TABLE backlot.session (
    number bigint NOT NULL,
    hash text NOT NULL,
    sealed_key text NOT NULL,
    expires_at bigint NOT NULL
);
ALTER TABLE backlot.session ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME backlot.session_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE backlot.simulation (
    id text NOT NULL,
    number bigint NOT NULL,
    account text NOT NULL,
    slug text NOT NULL,
    genesis text NOT NULL,
    description text NOT NULL,
    engine integer NOT NULL,
    saved integer DEFAULT 0 NOT NULL
);
ALTER TABLE backlot.simulation ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME backlot.simulation_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE backlot.state (
    simulation text NOT NULL,
    head bigint NOT NULL,
    tip text NOT NULL,
    at bigint NOT NULL,
    dump text NOT NULL
);
CREATE TABLE backlot.usage (
    account text NOT NULL,
    month text NOT NULL,
    requests bigint NOT NULL
);
INSERT INTO backlot.account VALUES ('team', '{"plan":{"name":"unlimited","simulationLimit":9007199254740991,"requestLimit":9007199254740991,"webhooksPerSimulation":9007199254740991,"pricePerRecordUsd":0,"pricePerProposalUsd":0},"subscription":"active","suspended":false}', false, 0);
INSERT INTO backlot.delivery VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 'b5f1c9c8-aaa0-4fbc-bb26-eaf7ebe16905', 1000, 1795391784934, 0, '{"shown":{"id":"4a02e3bd-283b-83a4-a9d0-55345d49b7cf","event":{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff"},"state":"retrying","attempts":[{"at":"2026-11-22T23:55:24.930Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":2.468,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-22T23:56:24.934Z"},"bodies":[{"type":"task.created","id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","created":"2026-11-22T23:55:24.034Z","collection":"tasks","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","place":"/data/object","text":"{\"id\":\"232aa3e2-c6f4-8731-a56b-d9a0e1887833\",\"type\":\"task.created\",\"created\":\"2026-11-22T23:55:24.034Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"object\":{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}}}","number":1000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","4a02e3bd-283b-83a4-a9d0-55345d49b7cf","svc-signature","t=1795391724,v1=bcc3faa0ae29a06ec2e7329bebc324d3e31850506909be834bf42d23651e2e6c"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjIzMmFhM2UyLWM2ZjQtODczMS1hNTZiLWQ5YTBlMTg4NzgzMyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yMlQyMzo1NToyNC4wMzRaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsIm9iamVjdCI6eyJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsInRpdGxlIjoiQmVmb3JlIn19fQ=="}]}');
INSERT INTO backlot.delivery VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 'b5f1c9c8-aaa0-4fbc-bb26-eaf7ebe16905', 2000, 1795391784958, 0, '{"shown":{"id":"b7124407-4d3c-8f6d-88d6-4b8402ffa43b","event":{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83"},"state":"retrying","attempts":[{"at":"2026-11-22T23:55:24.951Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":5.136,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-22T23:56:24.958Z"},"bodies":[{"type":"task.created","id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","created":"2026-11-22T23:55:24.076Z","collection":"tasks","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83","place":"/data/object","text":"{\"id\":\"1b7fb84d-4618-8ca7-9f0f-8914f57d228a\",\"type\":\"task.created\",\"created\":\"2026-11-22T23:55:24.076Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"object\":{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}}}","number":2000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","b7124407-4d3c-8f6d-88d6-4b8402ffa43b","svc-signature","t=1795391724,v1=49a0a23c50d88ddcd3c98cc2056fff62d0a05611171394bffa6c487e736f0e47"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjFiN2ZiODRkLTQ2MTgtOGNhNy05ZjBmLTg5MTRmNTdkMjI4YSIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yMlQyMzo1NToyNC4wNzZaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsIm9iamVjdCI6eyJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsInRpdGxlIjoiQWZ0ZXIifX19"}]}');
INSERT INTO backlot.delivery VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 'b5f1c9c8-aaa0-4fbc-bb26-eaf7ebe16905', 3000, 1795391784990, 0, '{"shown":{"id":"c9f2e6f2-c3b1-869c-89b9-71e0ff7597d8","event":{"id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","type":"task.created","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265"},"state":"retrying","attempts":[{"at":"2026-11-22T23:55:24.987Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":2.315,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-22T23:56:24.990Z"},"bodies":[{"type":"task.created","id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","created":"2026-11-23T00:55:24.000Z","collection":"tasks","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","place":"/data/object","text":"{\"id\":\"b5afd7a6-5c69-855b-925e-b7a44c6c407c\",\"type\":\"task.created\",\"created\":\"2026-11-23T00:55:24.000Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"object\":{\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"title\":\"Look into memory leak on the invoice PDF\"}}}","number":3000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","c9f2e6f2-c3b1-869c-89b9-71e0ff7597d8","svc-signature","t=1795391724,v1=b5b51e3a7e723919b09554db8dc3acb0271f1314817dfbe09d36c948130423aa"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6ImI1YWZkN2E2LTVjNjktODU1Yi05MjVlLWI3YTQ0YzZjNDA3YyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QwMDo1NToyNC4wMDBaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImFjYTdlZjljLTkzNGMtNGJkZC1iNWUxLTFmODM4NDEwNTI2NSIsIm9iamVjdCI6eyJpZCI6ImFjYTdlZjljLTkzNGMtNGJkZC1iNWUxLTFmODM4NDEwNTI2NSIsInRpdGxlIjoiTG9vayBpbnRvIG1lbW9yeSBsZWFrIG9uIHRoZSBpbnZvaWNlIFBERiJ9fX0="}]}');
INSERT INTO backlot.description VALUES ('a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', '"openapi: 3.1.0\ninfo: { title: Tasks, version: ''1'' }\npaths:\n  /tasks:\n    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: ''#/components/schemas/Task'' } } } } } } }\n    post:\n      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }\n      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: ''#/components/schemas/Task'' } } } } }\ncomponents: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }\n"', '2026-11-22 23:55:24.845543+00');
INSERT INTO backlot.dispatch VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 0, 0, 3, 1795391784934, NULL, NULL, '{"offsetMs":0,"faults":[]}');
INSERT INTO backlot.journal VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 1, 'b4d01416-cee1-4a85-ba5b-3b6c8b4aa384', 1795391724865, '{"v":1,"at":1795391724022,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"webhooks":[["b5f1c9c8-aaa0-4fbc-bb26-eaf7ebe16905",{"id":"b5f1c9c8-aaa0-4fbc-bb26-eaf7ebe16905","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_856ea415484c695f1d56ae1ca8fd8ea603b94eb3adb59470fa14fc11f3728918"}]]},"events":{"added":[],"sequence":0,"generation":0}}', '2026-11-22 23:55:24.867014+00');
INSERT INTO backlot.journal VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 2, '1b6c3b01-a256-423c-b0ea-2f3c32dfece4', 1795391724879, '{"v":1,"at":1795391724034,"world":{"fromStart":false,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795391724034,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0}}', '2026-11-22 23:55:24.879517+00');
INSERT INTO backlot.journal VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 3, '63946b6d-3188-491f-b3a8-0db441acd3a9', 1795391724922, '{"v":1,"at":1795391724076,"world":{"fromStart":false,"collections":[{"name":"tasks","created":2,"positions":[{"position":26,"record":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"},"made":{"key":"12a67f79-0ed9-457b-b65e-4311487bad83","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"12a67f79-0ed9-457b-b65e-4311487bad83","at":1795391724076,"cause":"request","generation":0,"sequence":1}],"sequence":2,"generation":0}}', '2026-11-22 23:55:24.921815+00');
INSERT INTO backlot.journal VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 4, '4e39e17b-4fb4-4351-a275-6cfcbba7aa55', 1795391724940, '{"v":1,"at":1795391724097,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"rules":[["1eeef58e-0729-8c2b-889c-ff364f1a89cb",{"rule":{"name":"sorry","kind":"error","config":{"status":503},"method":"DELETE","pathPattern":"/tasks*","id":"1eeef58e-0729-8c2b-889c-ff364f1a89cb"},"addedAt":1795391724097}]],"totals":[["rules",1]]},"events":{"added":[],"sequence":2,"generation":0}}', '2026-11-22 23:55:24.940283+00');
INSERT INTO backlot.journal VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 5, '7a0c51c5-3c00-4517-bf57-20c89b105eda', 1795391724968, '{"v":1,"at":1795395324122,"world":{"fromStart":false,"collections":[{"name":"tasks","created":3,"positions":[{"position":27,"record":{"id":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","title":"Look into memory leak on the invoice PDF"},"made":{"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",3599157]],"runs":[["tasks_arrive",{"nextAt":1795398924000,"count":1}]]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","at":1795395324000,"cause":"fast-forward","generation":0,"sequence":2}],"sequence":3,"generation":0}}', '2026-11-22 23:55:24.968167+00');
INSERT INTO backlot.journal_head VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 5, '7a0c51c5-3c00-4517-bf57-20c89b105eda', NULL, NULL, 1795395324843);
INSERT INTO backlot.lane VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 'b5f1c9c8-aaa0-4fbc-bb26-eaf7ebe16905', 0, 0);
INSERT INTO backlot.saved_state VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 1, '{"v":1,"at":1795391724034,"world":{"fromStart":true,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",-843]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795395324000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[["b5f1c9c8-aaa0-4fbc-bb26-eaf7ebe16905",{"id":"b5f1c9c8-aaa0-4fbc-bb26-eaf7ebe16905","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_856ea415484c695f1d56ae1ca8fd8ea603b94eb3adb59470fa14fc11f3728918"}]],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795391724034,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0},"isWhole":true}');
INSERT INTO backlot.schema_version VALUES (5);
INSERT INTO backlot.simulation OVERRIDING SYSTEM VALUE VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 1, 'team', 'tasks', '{"name":"Tasks","hasOwnSlug":true,"volume":{},"seedRecords":{},"access":{"ipRestrictionEnabled":false,"ipAllowlist":[],"creatorIp":"127.0.0.1"},"createdAt":1795391724843}', 'a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', 1, 1);
INSERT INTO backlot.state VALUES ('001ec57b-79be-4c80-9d26-866ce0e18a07', 0, '08412a8e-6145-462f-a89f-779b3cf8726b', 1795391724843, '{"v":1,"at":1795391724001,"world":{"fromStart":true,"collections":[],"singletons":[]},"settings":{"clock":[["offsetMs",-843]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795395324000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[],"sequence":0,"generation":0},"isWhole":true}');
INSERT INTO backlot.usage VALUES ('team', '2026-11', 2);
SELECT pg_catalog.setval('backlot.account_key_number_seq', 1, false);
SELECT pg_catalog.setval('backlot.outbox_id_seq', 3, true);
SELECT pg_catalog.setval('backlot.session_number_seq', 1, false);
SELECT pg_catalog.setval('backlot.simulation_number_seq', 1, true);
ALTER TABLE ONLY backlot.account_key
    ADD CONSTRAINT account_key_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY backlot.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (name);
ALTER TABLE ONLY backlot.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (simulation, webhook, number);
ALTER TABLE ONLY backlot.description
    ADD CONSTRAINT description_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY backlot.dispatch
    ADD CONSTRAINT dispatch_pkey PRIMARY KEY (simulation);
ALTER TABLE ONLY backlot.journal_head
    ADD CONSTRAINT journal_head_pkey PRIMARY KEY (simulation);
ALTER TABLE ONLY backlot.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (simulation, head);
ALTER TABLE ONLY backlot.lane
    ADD CONSTRAINT lane_pkey PRIMARY KEY (simulation, webhook);
ALTER TABLE ONLY backlot.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY backlot.saved_state
    ADD CONSTRAINT saved_state_pkey PRIMARY KEY (simulation, number);
ALTER TABLE ONLY backlot.session
    ADD CONSTRAINT session_hash_key UNIQUE (hash);
ALTER TABLE ONLY backlot.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (number);
ALTER TABLE ONLY backlot.simulation
    ADD CONSTRAINT simulation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY backlot.simulation
    ADD CONSTRAINT simulation_slug_key UNIQUE (slug);
ALTER TABLE ONLY backlot.state
    ADD CONSTRAINT state_pkey PRIMARY KEY (simulation);
ALTER TABLE ONLY backlot.usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (account, month);
CREATE INDEX account_key_account_idx ON backlot.account_key USING btree (account);
CREATE INDEX delivery_simulation_webhook_due_at_idx ON backlot.delivery USING btree (simulation, webhook, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX dispatch_due_at_idx ON backlot.dispatch USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX journal_head_wake_at_idx ON backlot.journal_head USING btree (wake_at) WHERE (wake_at IS NOT NULL);
CREATE INDEX outbox_simulation_webhook_id_idx ON backlot.outbox USING btree (simulation, webhook, id);
CREATE INDEX simulation_account_idx ON backlot.simulation USING btree (account);
CREATE INDEX simulation_description_idx ON backlot.simulation USING btree (description);
ALTER TABLE ONLY backlot.account_key
    ADD CONSTRAINT account_key_account_fkey FOREIGN KEY (account) REFERENCES backlot.account(name) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.delivery
    ADD CONSTRAINT delivery_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.dispatch
    ADD CONSTRAINT dispatch_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.journal_head
    ADD CONSTRAINT journal_head_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.lane
    ADD CONSTRAINT lane_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.outbox
    ADD CONSTRAINT outbox_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.saved_state
    ADD CONSTRAINT saved_state_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.state
    ADD CONSTRAINT state_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
