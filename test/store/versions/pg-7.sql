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
    wake_at bigint,
    followed_since timestamp with time zone,
    followed_until timestamp with time zone,
    used_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * (1000)::numeric))::bigint NOT NULL
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
CREATE TABLE backlot.request_log (
    id text NOT NULL,
    simulation text NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    requests integer NOT NULL,
    size bigint NOT NULL,
    entries text NOT NULL,
    details text NOT NULL
);
CREATE TABLE backlot.request_total (
    simulation text NOT NULL,
    arrived bigint NOT NULL
)
WITH (fillfactor='50');
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
INSERT INTO backlot.account VALUES ('team', '{"plan":{"name":"unlimited","simulationLimit":9007199254740991,"requestLimit":9007199254740991,"webhooksPerSimulation":9007199254740991,"idleDays":9007199254740991,"pricePerRecordUsd":0,"pricePerProposalUsd":0},"subscription":"active","suspended":false}', false, 0);
INSERT INTO backlot.delivery VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', '42b7c2ed-3160-4995-a94c-655dbc0dcfde', 1000, 1795404503269, 0, '{"shown":{"id":"0218faa7-fc6a-8e0b-9bb8-e0736c939fa6","event":{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff"},"state":"retrying","attempts":[{"at":"2026-11-23T03:27:23.267Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":2.371,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T03:28:23.269Z"},"bodies":[{"type":"task.created","id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","created":"2026-11-23T03:27:23.094Z","collection":"tasks","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","place":"/data/object","text":"{\"id\":\"232aa3e2-c6f4-8731-a56b-d9a0e1887833\",\"type\":\"task.created\",\"created\":\"2026-11-23T03:27:23.094Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"object\":{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}}}","number":1000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","0218faa7-fc6a-8e0b-9bb8-e0736c939fa6","svc-signature","t=1795404443,v1=3bfe495d42ff0494c8d89a131e62be954eb3d2fe2547738b835ef4bf4c7156d4"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjIzMmFhM2UyLWM2ZjQtODczMS1hNTZiLWQ5YTBlMTg4NzgzMyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QwMzoyNzoyMy4wOTRaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsIm9iamVjdCI6eyJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsInRpdGxlIjoiQmVmb3JlIn19fQ=="}]}');
INSERT INTO backlot.delivery VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', '42b7c2ed-3160-4995-a94c-655dbc0dcfde', 2000, 1795404503298, 0, '{"shown":{"id":"1cd39a68-a81b-8c95-be06-521373b7f734","event":{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83"},"state":"retrying","attempts":[{"at":"2026-11-23T03:27:23.296Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":1.712,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T03:28:23.298Z"},"bodies":[{"type":"task.created","id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","created":"2026-11-23T03:27:23.159Z","collection":"tasks","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83","place":"/data/object","text":"{\"id\":\"1b7fb84d-4618-8ca7-9f0f-8914f57d228a\",\"type\":\"task.created\",\"created\":\"2026-11-23T03:27:23.159Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"object\":{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}}}","number":2000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","1cd39a68-a81b-8c95-be06-521373b7f734","svc-signature","t=1795404443,v1=436f4d61ba392cf37cc0311d75b2c0ccb164e101f99414e089a83bb320007f7e"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjFiN2ZiODRkLTQ2MTgtOGNhNy05ZjBmLTg5MTRmNTdkMjI4YSIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QwMzoyNzoyMy4xNTlaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsIm9iamVjdCI6eyJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsInRpdGxlIjoiQWZ0ZXIifX19"}]}');
INSERT INTO backlot.description VALUES ('a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', '"openapi: 3.1.0\ninfo: { title: Tasks, version: ''1'' }\npaths:\n  /tasks:\n    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: ''#/components/schemas/Task'' } } } } } } }\n    post:\n      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }\n      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: ''#/components/schemas/Task'' } } } } }\ncomponents: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }\n"', '2026-11-23 03:27:23.101247+00');
INSERT INTO backlot.dispatch VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 0, 0, 3, 1795404443377, NULL, NULL, '{"offsetMs":0,"faults":[]}');
INSERT INTO backlot.journal VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 1, '9f64b5dd-0965-48b6-96e9-b35dbb1b3c7f', 1795404443136, '{"v":1,"at":1795404443047,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"webhooks":[["42b7c2ed-3160-4995-a94c-655dbc0dcfde",{"id":"42b7c2ed-3160-4995-a94c-655dbc0dcfde","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_e78526a9f9059fe90dab551fc30998974d4812d15671ee2c7aa0ae5ba9fdc976"}]]},"events":{"added":[],"sequence":0,"generation":0}}', '2026-11-23 03:27:23.146055+00');
INSERT INTO backlot.journal VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 2, 'd536f133-3bdd-43a9-9afa-e3f9cbd43d49', 1795404443189, '{"v":1,"at":1795404443094,"world":{"fromStart":false,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795404443094,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0}}', '2026-11-23 03:27:23.181319+00');
INSERT INTO backlot.journal VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 3, 'e28a8a3a-383b-4690-b63d-f0733fc5c121', 1795404443249, '{"v":1,"at":1795404443159,"world":{"fromStart":false,"collections":[{"name":"tasks","created":2,"positions":[{"position":26,"record":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"},"made":{"key":"12a67f79-0ed9-457b-b65e-4311487bad83","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"12a67f79-0ed9-457b-b65e-4311487bad83","at":1795404443159,"cause":"request","generation":0,"sequence":1}],"sequence":2,"generation":0}}', '2026-11-23 03:27:23.261016+00');
INSERT INTO backlot.journal VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 4, '595cdb3a-7c1c-4929-9002-8f05332bb0f7', 1795404443290, '{"v":1,"at":1795404443201,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"rules":[["1eeef58e-0729-8c2b-889c-ff364f1a89cb",{"rule":{"name":"sorry","kind":"error","config":{"status":503},"method":"DELETE","pathPattern":"/tasks*","id":"1eeef58e-0729-8c2b-889c-ff364f1a89cb"},"addedAt":1795404443201}]],"totals":[["rules",1]]},"events":{"added":[],"sequence":2,"generation":0}}', '2026-11-23 03:27:23.291013+00');
INSERT INTO backlot.journal VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 5, '1eee25ce-93b7-4037-8e0e-87ba6566da87', 1795404443357, '{"v":1,"at":1795408043261,"world":{"fromStart":false,"collections":[{"name":"tasks","created":3,"positions":[{"position":27,"record":{"id":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","title":"Look into memory leak on the invoice PDF"},"made":{"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",3599912]],"runs":[["tasks_arrive",{"nextAt":1795411643000,"count":1}]]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","at":1795408043000,"cause":"fast-forward","generation":0,"sequence":2}],"sequence":3,"generation":0}}', '2026-11-23 03:27:23.357866+00');
INSERT INTO backlot.journal_head VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 5, '1eee25ce-93b7-4037-8e0e-87ba6566da87', NULL, NULL, 1795408043088, NULL, NULL, 1795404443101);
INSERT INTO backlot.lane VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', '42b7c2ed-3160-4995-a94c-655dbc0dcfde', 0, 0);
INSERT INTO backlot.outbox OVERRIDING SYSTEM VALUE VALUES (3, '194f2a23-c591-450c-b80e-5d1bc981db12', '42b7c2ed-3160-4995-a94c-655dbc0dcfde', 1, '[{"type":"task.created","id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","created":"2026-11-23T04:27:23.000Z","collection":"tasks","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","place":"/data/object","text":"{\"id\":\"b5afd7a6-5c69-855b-925e-b7a44c6c407c\",\"type\":\"task.created\",\"created\":\"2026-11-23T04:27:23.000Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"object\":{\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"title\":\"Look into memory leak on the invoice PDF\"}}}"}]', '');
INSERT INTO backlot.request_log VALUES ('c988a8fc-f963-4e68-ba04-3bfa10dc7fb9-1', '194f2a23-c591-450c-b80e-5d1bc981db12', 1795404443186538, 1795404443186538, 1, 1079, '[{"id":"req_1795404443186538","at":"2026-11-23T03:27:23.094Z","method":"POST","path":"/tasks","status":201,"durationMs":22.826,"sourceIp":"127.0.0.1","operation":"POST /tasks","ruleId":null,"key":"svc_sim_012345","warnings":[]}]', '[{"request":{"headers":{"host":"127.0.0.1:45351","connection":"keep-alive","authorization":"Bearer svc_sim_012345…","content-type":"application/json","accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node","accept-encoding":"gzip, deflate","content-length":"18"},"body":"{\"title\":\"Before\"}","encoding":"utf-8","bytes":18,"truncated":false},"response":{"headers":{"content-type":"application/json"},"body":"{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}","encoding":"utf-8","bytes":62,"truncated":false,"fault":null},"changes":[{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","created":"2026-11-23T03:27:23.094Z","data":{"collection":"tasks","id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","object":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"}},"cause":"request"}]}]');
INSERT INTO backlot.request_log VALUES ('c988a8fc-f963-4e68-ba04-3bfa10dc7fb9-2', '194f2a23-c591-450c-b80e-5d1bc981db12', 1795404443265557, 1795404443265557, 1, 1076, '[{"id":"req_1795404443265557","at":"2026-11-23T03:27:23.159Z","method":"POST","path":"/tasks","status":201,"durationMs":26.074,"sourceIp":"127.0.0.1","operation":"POST /tasks","ruleId":null,"key":"svc_sim_012345","warnings":[]}]', '[{"request":{"headers":{"host":"127.0.0.1:45351","connection":"keep-alive","authorization":"Bearer svc_sim_012345…","content-type":"application/json","accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node","accept-encoding":"gzip, deflate","content-length":"17"},"body":"{\"title\":\"After\"}","encoding":"utf-8","bytes":17,"truncated":false},"response":{"headers":{"content-type":"application/json"},"body":"{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}","encoding":"utf-8","bytes":61,"truncated":false,"fault":null},"changes":[{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","created":"2026-11-23T03:27:23.159Z","data":{"collection":"tasks","id":"12a67f79-0ed9-457b-b65e-4311487bad83","object":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"}},"cause":"request"}]}]');
INSERT INTO backlot.request_total VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 2);
INSERT INTO backlot.saved_state VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 1, '{"v":1,"at":1795404443094,"world":{"fromStart":true,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",-88]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795408043000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[["42b7c2ed-3160-4995-a94c-655dbc0dcfde",{"id":"42b7c2ed-3160-4995-a94c-655dbc0dcfde","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_e78526a9f9059fe90dab551fc30998974d4812d15671ee2c7aa0ae5ba9fdc976"}]],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795404443094,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0},"isWhole":true}');
INSERT INTO backlot.schema_version VALUES (7);
INSERT INTO backlot.simulation OVERRIDING SYSTEM VALUE VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 1, 'team', 'tasks', '{"name":"Tasks","hasOwnSlug":true,"volume":{},"seedRecords":{},"keyPrefixes":[],"access":{"ipRestrictionEnabled":false,"ipAllowlist":[],"creatorIp":"127.0.0.1"},"createdAt":1795404443088}', 'a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', 1, 1);
INSERT INTO backlot.state VALUES ('194f2a23-c591-450c-b80e-5d1bc981db12', 0, '62390667-d3d0-453f-8cc6-93dfdd1919a3', 1795404443088, '{"v":1,"at":1795404443011,"world":{"fromStart":true,"collections":[],"singletons":[]},"settings":{"clock":[["offsetMs",-88]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795408043000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[],"sequence":0,"generation":0},"isWhole":true}');
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
ALTER TABLE ONLY backlot.request_log
    ADD CONSTRAINT request_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY backlot.request_total
    ADD CONSTRAINT request_total_pkey PRIMARY KEY (simulation);
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
CREATE INDEX request_log_simulation_last_idx ON backlot.request_log USING btree (simulation, last);
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
ALTER TABLE ONLY backlot.request_log
    ADD CONSTRAINT request_log_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.request_total
    ADD CONSTRAINT request_total_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.saved_state
    ADD CONSTRAINT saved_state_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.state
    ADD CONSTRAINT state_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
