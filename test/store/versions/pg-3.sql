CREATE SCHEMA backlot;
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
INSERT INTO backlot.delivery VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', '2d88d7b1-a676-4a03-89d1-8bd39f12a80e', 1000, 1795380966512, 0, '{"shown":{"id":"8a96ccfd-ade2-8e8f-9ef4-b1e46e5c7bbe","event":{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff"},"state":"retrying","attempts":[{"at":"2026-11-22T20:55:06.509Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":1.87,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-22T20:56:06.512Z"},"bodies":[{"type":"task.created","id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","created":"2026-11-22T20:55:06.030Z","collection":"tasks","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","place":"/data/object","text":"{\"id\":\"232aa3e2-c6f4-8731-a56b-d9a0e1887833\",\"type\":\"task.created\",\"created\":\"2026-11-22T20:55:06.030Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"object\":{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}}}","number":1000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","8a96ccfd-ade2-8e8f-9ef4-b1e46e5c7bbe","svc-signature","t=1795380906,v1=ee7c62e778584cbcc989577a8e45907d667a5ae799fa799e897b9662b401e843"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjIzMmFhM2UyLWM2ZjQtODczMS1hNTZiLWQ5YTBlMTg4NzgzMyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yMlQyMDo1NTowNi4wMzBaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsIm9iamVjdCI6eyJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsInRpdGxlIjoiQmVmb3JlIn19fQ=="}]}');
INSERT INTO backlot.delivery VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', '2d88d7b1-a676-4a03-89d1-8bd39f12a80e', 2000, 1795380966520, 0, '{"shown":{"id":"8e8f87dd-1062-804a-8a16-714c99278179","event":{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83"},"state":"retrying","attempts":[{"at":"2026-11-22T20:55:06.518Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":1.108,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-22T20:56:06.520Z"},"bodies":[{"type":"task.created","id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","created":"2026-11-22T20:55:06.062Z","collection":"tasks","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83","place":"/data/object","text":"{\"id\":\"1b7fb84d-4618-8ca7-9f0f-8914f57d228a\",\"type\":\"task.created\",\"created\":\"2026-11-22T20:55:06.062Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"object\":{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}}}","number":2000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","8e8f87dd-1062-804a-8a16-714c99278179","svc-signature","t=1795380906,v1=6e0c9e4f100f9a5201c41f48ccd57b32dfe300b0a5c3cef61c971692c4509594"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjFiN2ZiODRkLTQ2MTgtOGNhNy05ZjBmLTg5MTRmNTdkMjI4YSIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yMlQyMDo1NTowNi4wNjJaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsIm9iamVjdCI6eyJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsInRpdGxlIjoiQWZ0ZXIifX19"}]}');
INSERT INTO backlot.description VALUES ('a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', '"openapi: 3.1.0\ninfo: { title: Tasks, version: ''1'' }\npaths:\n  /tasks:\n    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: ''#/components/schemas/Task'' } } } } } } }\n    post:\n      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }\n      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: ''#/components/schemas/Task'' } } } } }\ncomponents: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }\n"', '2026-11-22 20:55:06.439404+00');
INSERT INTO backlot.dispatch VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 0, 0, 3, 1795380906561, NULL, NULL, '{"offsetMs":0,"faults":[]}');
INSERT INTO backlot.journal VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 1, '9dfdada1-4765-4ce2-8beb-4c754abebb24', 1795380906454, '{"v":1,"at":1795380906017,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"webhooks":[["2d88d7b1-a676-4a03-89d1-8bd39f12a80e",{"id":"2d88d7b1-a676-4a03-89d1-8bd39f12a80e","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_f50a01ccf2ca43d75c299306e763f9d789afb84caa25c3a2eeca543df6e9410d"}]]},"events":{"added":[],"sequence":0,"generation":0}}', '2026-11-22 20:55:06.455375+00');
INSERT INTO backlot.journal VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 2, '3064d6f9-d3c9-4fd4-9d8b-f334a508c986', 1795380906468, '{"v":1,"at":1795380906030,"world":{"fromStart":false,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795380906030,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0}}', '2026-11-22 20:55:06.468689+00');
INSERT INTO backlot.journal VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 3, '5c4689ef-664d-4683-b970-39fe46642376', 1795380906500, '{"v":1,"at":1795380906062,"world":{"fromStart":false,"collections":[{"name":"tasks","created":2,"positions":[{"position":26,"record":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"},"made":{"key":"12a67f79-0ed9-457b-b65e-4311487bad83","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"12a67f79-0ed9-457b-b65e-4311487bad83","at":1795380906062,"cause":"request","generation":0,"sequence":1}],"sequence":2,"generation":0}}', '2026-11-22 20:55:06.500425+00');
INSERT INTO backlot.journal VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 4, '7173f19a-742d-443f-9dd5-3ece7f0e52d5', 1795380906517, '{"v":1,"at":1795380906080,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"rules":[["1eeef58e-0729-8c2b-889c-ff364f1a89cb",{"rule":{"name":"sorry","kind":"error","config":{"status":503},"method":"DELETE","pathPattern":"/tasks*","id":"1eeef58e-0729-8c2b-889c-ff364f1a89cb"},"addedAt":1795380906080}]],"totals":[["rules",1]]},"events":{"added":[],"sequence":2,"generation":0}}', '2026-11-22 20:55:06.519398+00');
INSERT INTO backlot.journal VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 5, '8c0bdba7-7aba-4f1e-b47c-44cf696a35b9', 1795380906536, '{"v":1,"at":1795384506096,"world":{"fromStart":false,"collections":[{"name":"tasks","created":3,"positions":[{"position":27,"record":{"id":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","title":"Look into memory leak on the invoice PDF"},"made":{"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",3599563]],"runs":[["tasks_arrive",{"nextAt":1795388106000,"count":1}]]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","at":1795384506000,"cause":"fast-forward","generation":0,"sequence":2}],"sequence":3,"generation":0}}', '2026-11-22 20:55:06.536312+00');
INSERT INTO backlot.journal_head VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 5, '8c0bdba7-7aba-4f1e-b47c-44cf696a35b9', NULL, NULL, 1795384506437);
INSERT INTO backlot.lane VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', '2d88d7b1-a676-4a03-89d1-8bd39f12a80e', 0, 0);
INSERT INTO backlot.outbox OVERRIDING SYSTEM VALUE VALUES (3, '859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', '2d88d7b1-a676-4a03-89d1-8bd39f12a80e', 1, '[{"type":"task.created","id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","created":"2026-11-22T21:55:06.000Z","collection":"tasks","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","place":"/data/object","text":"{\"id\":\"b5afd7a6-5c69-855b-925e-b7a44c6c407c\",\"type\":\"task.created\",\"created\":\"2026-11-22T21:55:06.000Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"object\":{\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"title\":\"Look into memory leak on the invoice PDF\"}}}"}]', '');
INSERT INTO backlot.saved_state VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 1, '{"v":1,"at":1795380906030,"world":{"fromStart":true,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",-437]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795384506000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[["2d88d7b1-a676-4a03-89d1-8bd39f12a80e",{"id":"2d88d7b1-a676-4a03-89d1-8bd39f12a80e","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_f50a01ccf2ca43d75c299306e763f9d789afb84caa25c3a2eeca543df6e9410d"}]],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795380906030,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0},"isWhole":true}');
INSERT INTO backlot.schema_version VALUES (3);
INSERT INTO backlot.simulation OVERRIDING SYSTEM VALUE VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 1, 'team', 'tasks', '{"name":"Tasks","hasOwnSlug":true,"volume":{},"seedRecords":{},"access":{"ipRestrictionEnabled":false,"ipAllowlist":[],"creatorIp":"127.0.0.1"},"createdAt":1795380906437}', 'a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', 1, 1);
INSERT INTO backlot.state VALUES ('859bc3f0-2a21-4d7f-bf0d-2c0fa65394bc', 0, '80dac94d-3ba6-420b-acdd-fa479c987ca7', 1795380906437, '{"v":1,"at":1795380906001,"world":{"fromStart":true,"collections":[],"singletons":[]},"settings":{"clock":[["offsetMs",-437]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795384506000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[],"sequence":0,"generation":0},"isWhole":true}');
INSERT INTO backlot.usage VALUES ('team', '2026-11', 2);
SELECT pg_catalog.setval('backlot.outbox_id_seq', 3, true);
SELECT pg_catalog.setval('backlot.simulation_number_seq', 1, true);
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
ALTER TABLE ONLY backlot.simulation
    ADD CONSTRAINT simulation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY backlot.simulation
    ADD CONSTRAINT simulation_slug_key UNIQUE (slug);
ALTER TABLE ONLY backlot.state
    ADD CONSTRAINT state_pkey PRIMARY KEY (simulation);
ALTER TABLE ONLY backlot.usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (account, month);
CREATE INDEX delivery_simulation_webhook_due_at_idx ON backlot.delivery USING btree (simulation, webhook, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX dispatch_due_at_idx ON backlot.dispatch USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX journal_head_wake_at_idx ON backlot.journal_head USING btree (wake_at) WHERE (wake_at IS NOT NULL);
CREATE INDEX outbox_simulation_webhook_id_idx ON backlot.outbox USING btree (simulation, webhook, id);
CREATE INDEX simulation_account_idx ON backlot.simulation USING btree (account);
CREATE INDEX simulation_description_idx ON backlot.simulation USING btree (description);
ALTER TABLE ONLY backlot.delivery
    ADD CONSTRAINT delivery_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.dispatch
    ADD CONSTRAINT dispatch_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.journal_head
    ADD CONSTRAINT journal_head_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.journal
    ADD CONSTRAINT journal_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.lane
    ADD CONSTRAINT lane_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.outbox
    ADD CONSTRAINT outbox_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.saved_state
    ADD CONSTRAINT saved_state_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.state
    ADD CONSTRAINT state_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
