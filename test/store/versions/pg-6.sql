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
    followed_until timestamp with time zone
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
INSERT INTO backlot.account VALUES ('team', '{"plan":{"name":"unlimited","simulationLimit":9007199254740991,"requestLimit":9007199254740991,"webhooksPerSimulation":9007199254740991,"pricePerRecordUsd":0,"pricePerProposalUsd":0},"subscription":"active","suspended":false}', false, 0);
INSERT INTO backlot.delivery VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', '0e10091a-e16f-4765-bfda-97ffd54fa770', 1000, 1795393824988, 0, '{"shown":{"id":"d009e74b-1337-8a1b-85b2-38ae8f14e98c","event":{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff"},"state":"retrying","attempts":[{"at":"2026-11-23T00:29:24.973Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":9.9,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T00:30:24.988Z"},"bodies":[{"type":"task.created","id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","created":"2026-11-23T00:29:24.047Z","collection":"tasks","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","place":"/data/object","text":"{\"id\":\"232aa3e2-c6f4-8731-a56b-d9a0e1887833\",\"type\":\"task.created\",\"created\":\"2026-11-23T00:29:24.047Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"object\":{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}}}","number":1000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","d009e74b-1337-8a1b-85b2-38ae8f14e98c","svc-signature","t=1795393764,v1=adf2d6ae688d92296555dddf9000d708b94d175d3318dd1cba66e6c3c2e113b3"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjIzMmFhM2UyLWM2ZjQtODczMS1hNTZiLWQ5YTBlMTg4NzgzMyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QwMDoyOToyNC4wNDdaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsIm9iamVjdCI6eyJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsInRpdGxlIjoiQmVmb3JlIn19fQ=="}]}');
INSERT INTO backlot.delivery VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', '0e10091a-e16f-4765-bfda-97ffd54fa770', 2000, 1795393825023, 0, '{"shown":{"id":"10287d96-1290-8974-8a6a-cb5aa8f5fe12","event":{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83"},"state":"retrying","attempts":[{"at":"2026-11-23T00:29:25.014Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":7.21,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T00:30:25.023Z"},"bodies":[{"type":"task.created","id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","created":"2026-11-23T00:29:24.111Z","collection":"tasks","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83","place":"/data/object","text":"{\"id\":\"1b7fb84d-4618-8ca7-9f0f-8914f57d228a\",\"type\":\"task.created\",\"created\":\"2026-11-23T00:29:24.111Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"object\":{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}}}","number":2000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","10287d96-1290-8974-8a6a-cb5aa8f5fe12","svc-signature","t=1795393765,v1=de276c549d7e1f7f5aa78c015c318ccf1d7c73d67eb92eab748ed80cedf516c3"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjFiN2ZiODRkLTQ2MTgtOGNhNy05ZjBmLTg5MTRmNTdkMjI4YSIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QwMDoyOToyNC4xMTFaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsIm9iamVjdCI6eyJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsInRpdGxlIjoiQWZ0ZXIifX19"}]}');
INSERT INTO backlot.description VALUES ('a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', '"openapi: 3.1.0\ninfo: { title: Tasks, version: ''1'' }\npaths:\n  /tasks:\n    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: ''#/components/schemas/Task'' } } } } } } }\n    post:\n      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }\n      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: ''#/components/schemas/Task'' } } } } }\ncomponents: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }\n"', '2026-11-23 00:29:24.851211+00');
INSERT INTO backlot.dispatch VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 0, 0, 3, 1795393765058, NULL, NULL, '{"offsetMs":0,"faults":[]}');
INSERT INTO backlot.journal VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 1, 'f82e57e3-6fc0-4fcb-a94d-cd7f96d02a6e', 1795393764875, '{"v":1,"at":1795393764027,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"webhooks":[["0e10091a-e16f-4765-bfda-97ffd54fa770",{"id":"0e10091a-e16f-4765-bfda-97ffd54fa770","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_abb7e1b7234c586ebe750c5e24a7aa8758b1c13176761b3fcd8f886a09b759da"}]]},"events":{"added":[],"sequence":0,"generation":0}}', '2026-11-23 00:29:24.877004+00');
INSERT INTO backlot.journal VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 2, 'aa871372-cadd-4c19-896b-562295f00329', 1795393764897, '{"v":1,"at":1795393764047,"world":{"fromStart":false,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795393764047,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0}}', '2026-11-23 00:29:24.89758+00');
INSERT INTO backlot.journal VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 3, '16a45f2e-2bb1-4bbb-bb15-5690725ac430', 1795393764965, '{"v":1,"at":1795393764111,"world":{"fromStart":false,"collections":[{"name":"tasks","created":2,"positions":[{"position":26,"record":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"},"made":{"key":"12a67f79-0ed9-457b-b65e-4311487bad83","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"12a67f79-0ed9-457b-b65e-4311487bad83","at":1795393764111,"cause":"request","generation":0,"sequence":1}],"sequence":2,"generation":0}}', '2026-11-23 00:29:24.968324+00');
INSERT INTO backlot.journal VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 4, 'ba813032-a0a8-4810-af22-260bdb46b8af', 1795393765006, '{"v":1,"at":1795393764157,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"rules":[["1eeef58e-0729-8c2b-889c-ff364f1a89cb",{"rule":{"name":"sorry","kind":"error","config":{"status":503},"method":"DELETE","pathPattern":"/tasks*","id":"1eeef58e-0729-8c2b-889c-ff364f1a89cb"},"addedAt":1795393764157}]],"totals":[["rules",1]]},"events":{"added":[],"sequence":2,"generation":0}}', '2026-11-23 00:29:25.007518+00');
INSERT INTO backlot.journal VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 5, '4e1afcb1-c0be-4f1f-a572-5761c1994be7', 1795393765034, '{"v":1,"at":1795397364183,"world":{"fromStart":false,"collections":[{"name":"tasks","created":3,"positions":[{"position":27,"record":{"id":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","title":"Look into memory leak on the invoice PDF"},"made":{"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",3599152]],"runs":[["tasks_arrive",{"nextAt":1795400964000,"count":1}]]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","at":1795397364000,"cause":"fast-forward","generation":0,"sequence":2}],"sequence":3,"generation":0}}', '2026-11-23 00:29:25.034259+00');
INSERT INTO backlot.journal_head VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 5, '4e1afcb1-c0be-4f1f-a572-5761c1994be7', NULL, NULL, 1795397364848, NULL, NULL);
INSERT INTO backlot.lane VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', '0e10091a-e16f-4765-bfda-97ffd54fa770', 0, 0);
INSERT INTO backlot.outbox OVERRIDING SYSTEM VALUE VALUES (3, '6547b8a0-5a3c-4d93-919d-9f03c34dba5f', '0e10091a-e16f-4765-bfda-97ffd54fa770', 1, '[{"type":"task.created","id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","created":"2026-11-23T01:29:24.000Z","collection":"tasks","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","place":"/data/object","text":"{\"id\":\"b5afd7a6-5c69-855b-925e-b7a44c6c407c\",\"type\":\"task.created\",\"created\":\"2026-11-23T01:29:24.000Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"object\":{\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"title\":\"Look into memory leak on the invoice PDF\"}}}"}]', '');
INSERT INTO backlot.request_log VALUES ('562e36f2-6be8-47b3-9e2b-7053d27be62a-1', '6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 1795393764902798, 1795393764902798, 1, 1079, '[{"id":"req_1795393764902798","at":"2026-11-23T00:29:24.047Z","method":"POST","path":"/tasks","status":201,"durationMs":12.652,"sourceIp":"127.0.0.1","operation":"POST /tasks","ruleId":null,"key":"svc_sim_012345","warnings":[]}]', '[{"request":{"headers":{"host":"127.0.0.1:37245","connection":"keep-alive","authorization":"Bearer svc_sim_012345…","content-type":"application/json","accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node","accept-encoding":"gzip, deflate","content-length":"18"},"body":"{\"title\":\"Before\"}","encoding":"utf-8","bytes":18,"truncated":false},"response":{"headers":{"content-type":"application/json"},"body":"{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}","encoding":"utf-8","bytes":62,"truncated":false,"fault":null},"changes":[{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","created":"2026-11-23T00:29:24.047Z","data":{"collection":"tasks","id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","object":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"}},"cause":"request"}]}]');
INSERT INTO backlot.request_log VALUES ('562e36f2-6be8-47b3-9e2b-7053d27be62a-2', '6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 1795393764981828, 1795393764981828, 1, 1076, '[{"id":"req_1795393764981828","at":"2026-11-23T00:29:24.111Z","method":"POST","path":"/tasks","status":201,"durationMs":33.655,"sourceIp":"127.0.0.1","operation":"POST /tasks","ruleId":null,"key":"svc_sim_012345","warnings":[]}]', '[{"request":{"headers":{"host":"127.0.0.1:37245","connection":"keep-alive","authorization":"Bearer svc_sim_012345…","content-type":"application/json","accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node","accept-encoding":"gzip, deflate","content-length":"17"},"body":"{\"title\":\"After\"}","encoding":"utf-8","bytes":17,"truncated":false},"response":{"headers":{"content-type":"application/json"},"body":"{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}","encoding":"utf-8","bytes":61,"truncated":false,"fault":null},"changes":[{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","created":"2026-11-23T00:29:24.111Z","data":{"collection":"tasks","id":"12a67f79-0ed9-457b-b65e-4311487bad83","object":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"}},"cause":"request"}]}]');
INSERT INTO backlot.request_total VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 2);
INSERT INTO backlot.saved_state VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 1, '{"v":1,"at":1795393764047,"world":{"fromStart":true,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",-848]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795397364000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[["0e10091a-e16f-4765-bfda-97ffd54fa770",{"id":"0e10091a-e16f-4765-bfda-97ffd54fa770","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_abb7e1b7234c586ebe750c5e24a7aa8758b1c13176761b3fcd8f886a09b759da"}]],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795393764047,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0},"isWhole":true}');
INSERT INTO backlot.schema_version VALUES (6);
INSERT INTO backlot.simulation OVERRIDING SYSTEM VALUE VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 1, 'team', 'tasks', '{"name":"Tasks","hasOwnSlug":true,"volume":{},"seedRecords":{},"access":{"ipRestrictionEnabled":false,"ipAllowlist":[],"creatorIp":"127.0.0.1"},"createdAt":1795393764848}', 'a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', 1, 1);
INSERT INTO backlot.state VALUES ('6547b8a0-5a3c-4d93-919d-9f03c34dba5f', 0, '6401cec7-6656-4d3f-b0b8-c49d3e2a5a0c', 1795393764848, '{"v":1,"at":1795393764002,"world":{"fromStart":true,"collections":[],"singletons":[]},"settings":{"clock":[["offsetMs",-848]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795397364000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[],"sequence":0,"generation":0},"isWhole":true}');
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
