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
INSERT INTO backlot.delivery VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', '64846a06-5d89-4a51-9e40-1d55cd0260ca', 1000, 1795380962145, 0, '{"shown":{"id":"a439bcd4-7b23-82b1-8df2-e3ad86fd3338","event":{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff"},"state":"retrying","attempts":[{"at":"2026-11-22T20:55:02.140Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":3.801,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-22T20:56:02.145Z"},"bodies":[{"type":"task.created","id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","created":"2026-11-22T20:55:02.051Z","collection":"tasks","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","place":"/data/object","text":"{\"id\":\"232aa3e2-c6f4-8731-a56b-d9a0e1887833\",\"type\":\"task.created\",\"created\":\"2026-11-22T20:55:02.051Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"object\":{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}}}","number":1000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","a439bcd4-7b23-82b1-8df2-e3ad86fd3338","svc-signature","t=1795380902,v1=d04ff670c117a34b8b72dec29560c1fdab088f305f840072a56fd7f3cd0b3a4b"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjIzMmFhM2UyLWM2ZjQtODczMS1hNTZiLWQ5YTBlMTg4NzgzMyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yMlQyMDo1NTowMi4wNTFaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsIm9iamVjdCI6eyJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsInRpdGxlIjoiQmVmb3JlIn19fQ=="}]}');
INSERT INTO backlot.delivery VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', '64846a06-5d89-4a51-9e40-1d55cd0260ca', 2000, 1795380962150, 0, '{"shown":{"id":"79bc0707-758a-85fd-9601-5e17b3d96095","event":{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83"},"state":"retrying","attempts":[{"at":"2026-11-22T20:55:02.144Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":3.943,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-22T20:56:02.150Z"},"bodies":[{"type":"task.created","id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","created":"2026-11-22T20:55:02.087Z","collection":"tasks","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83","place":"/data/object","text":"{\"id\":\"1b7fb84d-4618-8ca7-9f0f-8914f57d228a\",\"type\":\"task.created\",\"created\":\"2026-11-22T20:55:02.087Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"object\":{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}}}","number":2000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","79bc0707-758a-85fd-9601-5e17b3d96095","svc-signature","t=1795380902,v1=34eb4cb0a290be6302a15bc3eb14db82dc07570990a74e4078f552eece266e4d"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjFiN2ZiODRkLTQ2MTgtOGNhNy05ZjBmLTg5MTRmNTdkMjI4YSIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yMlQyMDo1NTowMi4wODdaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsIm9iamVjdCI6eyJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsInRpdGxlIjoiQWZ0ZXIifX19"}]}');
INSERT INTO backlot.description VALUES ('a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', '"openapi: 3.1.0\ninfo: { title: Tasks, version: ''1'' }\npaths:\n  /tasks:\n    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: ''#/components/schemas/Task'' } } } } } } }\n    post:\n      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }\n      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: ''#/components/schemas/Task'' } } } } }\ncomponents: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }\n"', '2026-11-22 20:55:02.02827+00');
INSERT INTO backlot.dispatch VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 0, 0, 3, 1795380902172, NULL, NULL, '{"offsetMs":0,"faults":[]}');
INSERT INTO backlot.journal VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 1, 'a8db0c47-d64f-474a-a507-4aea67b95442', 1795380902045, '{"v":1,"at":1795380902019,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"webhooks":[["64846a06-5d89-4a51-9e40-1d55cd0260ca",{"id":"64846a06-5d89-4a51-9e40-1d55cd0260ca","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_52ef4fa8278ce81c71c8b0dbcdf16f310b9d116db0a46dc9ed0376b112f2ddbc"}]]},"events":{"added":[],"sequence":0,"generation":0}}', '2026-11-22 20:55:02.056978+00');
INSERT INTO backlot.journal VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 2, 'db599d2c-bca4-4b65-bb19-7afff2c39b4f', 1795380902079, '{"v":1,"at":1795380902051,"world":{"fromStart":false,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795380902051,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0}}', '2026-11-22 20:55:02.073567+00');
INSERT INTO backlot.journal VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 3, 'a2f6bb98-ebe2-4a5d-b30e-afc92a389c10', 1795380902115, '{"v":1,"at":1795380902087,"world":{"fromStart":false,"collections":[{"name":"tasks","created":2,"positions":[{"position":26,"record":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"},"made":{"key":"12a67f79-0ed9-457b-b65e-4311487bad83","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"12a67f79-0ed9-457b-b65e-4311487bad83","at":1795380902087,"cause":"request","generation":0,"sequence":1}],"sequence":2,"generation":0}}', '2026-11-22 20:55:02.117957+00');
INSERT INTO backlot.journal VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 4, '41d1e521-af98-4a18-b734-debad26af929', 1795380902137, '{"v":1,"at":1795380902110,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"rules":[["1eeef58e-0729-8c2b-889c-ff364f1a89cb",{"rule":{"name":"sorry","kind":"error","config":{"status":503},"method":"DELETE","pathPattern":"/tasks*","id":"1eeef58e-0729-8c2b-889c-ff364f1a89cb"},"addedAt":1795380902110}]],"totals":[["rules",1]]},"events":{"added":[],"sequence":2,"generation":0}}', '2026-11-22 20:55:02.13711+00');
INSERT INTO backlot.journal VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 5, '809c81e0-57cb-4768-ab5b-f60e6e9ce70f', 1795380902162, '{"v":1,"at":1795384502135,"world":{"fromStart":false,"collections":[{"name":"tasks","created":3,"positions":[{"position":27,"record":{"id":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","title":"Look into memory leak on the invoice PDF"},"made":{"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",3599974]],"runs":[["tasks_arrive",{"nextAt":1795388102000,"count":1}]]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","at":1795384502000,"cause":"fast-forward","generation":0,"sequence":2}],"sequence":3,"generation":0}}', '2026-11-22 20:55:02.162415+00');
INSERT INTO backlot.journal_head VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 5, '809c81e0-57cb-4768-ab5b-f60e6e9ce70f', NULL, NULL, 1795384502026);
INSERT INTO backlot.lane VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', '64846a06-5d89-4a51-9e40-1d55cd0260ca', 0, 0);
INSERT INTO backlot.outbox OVERRIDING SYSTEM VALUE VALUES (3, 'ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', '64846a06-5d89-4a51-9e40-1d55cd0260ca', 1, '[{"type":"task.created","id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","created":"2026-11-22T21:55:02.000Z","collection":"tasks","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","place":"/data/object","text":"{\"id\":\"b5afd7a6-5c69-855b-925e-b7a44c6c407c\",\"type\":\"task.created\",\"created\":\"2026-11-22T21:55:02.000Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"object\":{\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"title\":\"Look into memory leak on the invoice PDF\"}}}"}]', '');
INSERT INTO backlot.saved_state VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 1, '{"v":1,"at":1795380902051,"world":{"fromStart":true,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",-26]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795384502000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[["64846a06-5d89-4a51-9e40-1d55cd0260ca",{"id":"64846a06-5d89-4a51-9e40-1d55cd0260ca","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_52ef4fa8278ce81c71c8b0dbcdf16f310b9d116db0a46dc9ed0376b112f2ddbc"}]],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795380902051,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0},"isWhole":true}');
INSERT INTO backlot.schema_version VALUES (2);
INSERT INTO backlot.simulation OVERRIDING SYSTEM VALUE VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 1, 'team', 'tasks', '{"name":"Tasks","hasOwnSlug":true,"volume":{},"seedRecords":{},"access":{"ipRestrictionEnabled":false,"ipAllowlist":[],"creatorIp":"127.0.0.1"},"createdAt":1795380902026}', 'a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', 1, 1);
INSERT INTO backlot.state VALUES ('ba7e24f0-bc5a-431c-83b7-098c6bcc58bb', 0, '760ec5d0-3af9-44dd-a03f-8399440694df', 1795380902026, '{"v":1,"at":1795380902001,"world":{"fromStart":true,"collections":[],"singletons":[]},"settings":{"clock":[["offsetMs",-26]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795384502000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[],"sequence":0,"generation":0},"isWhole":true}');
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
