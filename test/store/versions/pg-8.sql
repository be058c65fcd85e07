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
    dump text NOT NULL,
    about text DEFAULT ''::text NOT NULL
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
CREATE TABLE backlot.test_hold (
    simulation text NOT NULL,
    test text NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE backlot.usage (
    account text NOT NULL,
    month text NOT NULL,
    requests bigint NOT NULL
);
INSERT INTO backlot.account VALUES ('team', '{"plan":{"name":"unlimited","simulationLimit":9007199254740991,"requestLimit":9007199254740991,"webhooksPerSimulation":9007199254740991,"idleDays":9007199254740991,"pricePerRecordUsd":0,"pricePerProposalUsd":0},"subscription":"active","suspended":false}', false, 0);
INSERT INTO backlot.delivery VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', '79fb956f-cd4b-4ad4-a258-df9274cd5cc2', 1000, 1795406469081, 0, '{"shown":{"id":"027912a3-b710-8e0e-b565-fdc80a1a69e5","event":{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff"},"state":"retrying","attempts":[{"at":"2026-11-23T04:00:09.077Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":2.804,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T04:01:09.081Z"},"bodies":[{"type":"task.created","id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","created":"2026-11-23T04:00:08.073Z","collection":"tasks","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","place":"/data/object","text":"{\"id\":\"232aa3e2-c6f4-8731-a56b-d9a0e1887833\",\"type\":\"task.created\",\"created\":\"2026-11-23T04:00:08.073Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"object\":{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}}}","number":1000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","027912a3-b710-8e0e-b565-fdc80a1a69e5","svc-signature","t=1795406409,v1=9437c30bd2ab166c842a84398a6d601dfeb95c360d82e01fb43dc8ff3b7d9f14"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjIzMmFhM2UyLWM2ZjQtODczMS1hNTZiLWQ5YTBlMTg4NzgzMyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QwNDowMDowOC4wNzNaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsIm9iamVjdCI6eyJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsInRpdGxlIjoiQmVmb3JlIn19fQ=="}]}');
INSERT INTO backlot.delivery VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', '79fb956f-cd4b-4ad4-a258-df9274cd5cc2', 2000, 1795406469083, 0, '{"shown":{"id":"77aad0ce-52cf-8356-a2ce-23c9be24219f","event":{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83"},"state":"retrying","attempts":[{"at":"2026-11-23T04:00:09.080Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":1.421,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T04:01:09.083Z"},"bodies":[{"type":"task.created","id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","created":"2026-11-23T04:00:08.099Z","collection":"tasks","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83","place":"/data/object","text":"{\"id\":\"1b7fb84d-4618-8ca7-9f0f-8914f57d228a\",\"type\":\"task.created\",\"created\":\"2026-11-23T04:00:08.099Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"object\":{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}}}","number":2000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","77aad0ce-52cf-8356-a2ce-23c9be24219f","svc-signature","t=1795406409,v1=ad10b615e584aaa2e6810852d3cefd70c70dfdeb954a2108dcab33032b005b20"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjFiN2ZiODRkLTQ2MTgtOGNhNy05ZjBmLTg5MTRmNTdkMjI4YSIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QwNDowMDowOC4wOTlaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsIm9iamVjdCI6eyJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsInRpdGxlIjoiQWZ0ZXIifX19"}]}');
INSERT INTO backlot.description VALUES ('a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', '"openapi: 3.1.0\ninfo: { title: Tasks, version: ''1'' }\npaths:\n  /tasks:\n    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: ''#/components/schemas/Task'' } } } } } } }\n    post:\n      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }\n      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: ''#/components/schemas/Task'' } } } } }\ncomponents: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }\n"', '2026-11-23 04:00:08.897314+00');
INSERT INTO backlot.dispatch VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 0, 0, 3, 1795406409131, NULL, NULL, '{"offsetMs":0,"faults":[]}');
INSERT INTO backlot.journal VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 1, '14fad4c3-fd48-4a42-a663-7fc1a66febf7', 1795406408923, '{"v":1,"at":1795406408029,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"webhooks":[["79fb956f-cd4b-4ad4-a258-df9274cd5cc2",{"id":"79fb956f-cd4b-4ad4-a258-df9274cd5cc2","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_3bced6bb9934ec113d5da5430e50650daec7d18792684bdb840daf88de5a426f"}]]},"events":{"added":[],"sequence":0,"generation":0}}', '2026-11-23 04:00:08.939702+00');
INSERT INTO backlot.journal VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 2, '439acc52-6734-43ae-9441-1652b210ca5b', 1795406408969, '{"v":1,"at":1795406408073,"world":{"fromStart":false,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795406408073,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0}}', '2026-11-23 04:00:08.961963+00');
INSERT INTO backlot.journal VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 3, 'b3e09d24-8223-42a7-8343-e35988423d06', 1795406408999, '{"v":1,"at":1795406408099,"world":{"fromStart":false,"collections":[{"name":"tasks","created":2,"positions":[{"position":26,"record":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"},"made":{"key":"12a67f79-0ed9-457b-b65e-4311487bad83","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"12a67f79-0ed9-457b-b65e-4311487bad83","at":1795406408099,"cause":"request","generation":0,"sequence":1}],"sequence":2,"generation":0}}', '2026-11-23 04:00:08.999133+00');
INSERT INTO backlot.journal VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 4, '459debe9-5410-4b1f-9209-9e049731dd49', 1795406409041, '{"v":1,"at":1795406408146,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"rules":[["1eeef58e-0729-8c2b-889c-ff364f1a89cb",{"rule":{"name":"sorry","kind":"error","config":{"status":503},"method":"DELETE","pathPattern":"/tasks*","id":"1eeef58e-0729-8c2b-889c-ff364f1a89cb"},"addedAt":1795406408146}]],"totals":[["rules",1]]},"events":{"added":[],"sequence":2,"generation":0}}', '2026-11-23 04:00:09.041337+00');
INSERT INTO backlot.journal VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 5, 'a080e885-dc74-456d-81ac-cef3f5ef3346', 1795406409089, '{"v":1,"at":1795410008192,"world":{"fromStart":false,"collections":[{"name":"tasks","created":3,"positions":[{"position":27,"record":{"id":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","title":"Look into memory leak on the invoice PDF"},"made":{"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",3599106]],"runs":[["tasks_arrive",{"nextAt":1795413608000,"count":1}]]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","at":1795410008000,"cause":"fast-forward","generation":0,"sequence":2}],"sequence":3,"generation":0}}', '2026-11-23 04:00:09.09055+00');
INSERT INTO backlot.journal_head VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 5, 'a080e885-dc74-456d-81ac-cef3f5ef3346', NULL, NULL, 1795410008894, NULL, NULL, 1795406408897);
INSERT INTO backlot.lane VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', '79fb956f-cd4b-4ad4-a258-df9274cd5cc2', 0, 0);
INSERT INTO backlot.outbox OVERRIDING SYSTEM VALUE VALUES (3, 'c79b1297-b706-4795-8868-7c8d7dc31bf8', '79fb956f-cd4b-4ad4-a258-df9274cd5cc2', 1, '[{"type":"task.created","id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","created":"2026-11-23T05:00:08.000Z","collection":"tasks","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","place":"/data/object","text":"{\"id\":\"b5afd7a6-5c69-855b-925e-b7a44c6c407c\",\"type\":\"task.created\",\"created\":\"2026-11-23T05:00:08.000Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"object\":{\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"title\":\"Look into memory leak on the invoice PDF\"}}}"}]', '');
INSERT INTO backlot.request_log VALUES ('0940ea32-e1b1-4cc9-8c11-40739cd07361-1', 'c79b1297-b706-4795-8868-7c8d7dc31bf8', 1795406408969672, 1795406408969672, 1, 1079, '[{"id":"req_1795406408969672","at":"2026-11-23T04:00:08.073Z","method":"POST","path":"/tasks","status":201,"durationMs":18.437,"sourceIp":"127.0.0.1","operation":"POST /tasks","ruleId":null,"key":"svc_sim_012345","warnings":[]}]', '[{"request":{"headers":{"host":"127.0.0.1:45761","connection":"keep-alive","authorization":"Bearer svc_sim_012345…","content-type":"application/json","accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node","accept-encoding":"gzip, deflate","content-length":"18"},"body":"{\"title\":\"Before\"}","encoding":"utf-8","bytes":18,"truncated":false},"response":{"headers":{"content-type":"application/json"},"body":"{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}","encoding":"utf-8","bytes":62,"truncated":false,"fault":null},"changes":[{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","created":"2026-11-23T04:00:08.073Z","data":{"collection":"tasks","id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","object":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"}},"cause":"request"}]}]');
INSERT INTO backlot.request_log VALUES ('0940ea32-e1b1-4cc9-8c11-40739cd07361-2', 'c79b1297-b706-4795-8868-7c8d7dc31bf8', 1795406409008754, 1795406409008754, 1, 1076, '[{"id":"req_1795406409008754","at":"2026-11-23T04:00:08.099Z","method":"POST","path":"/tasks","status":201,"durationMs":29.696,"sourceIp":"127.0.0.1","operation":"POST /tasks","ruleId":null,"key":"svc_sim_012345","warnings":[]}]', '[{"request":{"headers":{"host":"127.0.0.1:45761","connection":"keep-alive","authorization":"Bearer svc_sim_012345…","content-type":"application/json","accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node","accept-encoding":"gzip, deflate","content-length":"17"},"body":"{\"title\":\"After\"}","encoding":"utf-8","bytes":17,"truncated":false},"response":{"headers":{"content-type":"application/json"},"body":"{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}","encoding":"utf-8","bytes":61,"truncated":false,"fault":null},"changes":[{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","created":"2026-11-23T04:00:08.099Z","data":{"collection":"tasks","id":"12a67f79-0ed9-457b-b65e-4311487bad83","object":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"}},"cause":"request"}]}]');
INSERT INTO backlot.request_total VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 2);
INSERT INTO backlot.saved_state VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 1, '{"v":1,"at":1795406408073,"world":{"fromStart":true,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",-894]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795410008000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345","createdAt":1795406408002}]],"webhooks":[["79fb956f-cd4b-4ad4-a258-df9274cd5cc2",{"id":"79fb956f-cd4b-4ad4-a258-df9274cd5cc2","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_3bced6bb9934ec113d5da5430e50650daec7d18792684bdb840daf88de5a426f"}]],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795406408073,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0},"isWhole":true}', '{"at":"2026-11-23T04:00:08.073Z","name":null,"changes":1}');
INSERT INTO backlot.schema_version VALUES (8);
INSERT INTO backlot.simulation OVERRIDING SYSTEM VALUE VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 1, 'team', 'tasks', '{"name":"Tasks","hasOwnSlug":true,"volume":{},"seedRecords":{},"keyPrefixes":[],"access":{"ipRestrictionEnabled":false,"ipAllowlist":[],"creatorIp":"127.0.0.1"},"createdAt":1795406408894}', 'a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', 1, 1);
INSERT INTO backlot.state VALUES ('c79b1297-b706-4795-8868-7c8d7dc31bf8', 0, '9d9da6df-f46b-40c1-ac20-43b5b8c2295f', 1795406408894, '{"v":1,"at":1795406408002,"world":{"fromStart":true,"collections":[],"singletons":[]},"settings":{"clock":[["offsetMs",-894]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795410008000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345","createdAt":1795406408002}]],"webhooks":[],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[],"sequence":0,"generation":0},"isWhole":true}');
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
ALTER TABLE ONLY backlot.test_hold
    ADD CONSTRAINT test_hold_pkey PRIMARY KEY (simulation);
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
ALTER TABLE ONLY backlot.test_hold
    ADD CONSTRAINT test_hold_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
