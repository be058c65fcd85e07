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
    text text NOT NULL,
    kept_at bigint DEFAULT 0 NOT NULL
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
INSERT INTO backlot.delivery VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', '76049014-a0af-4a83-8e3d-e25447f102d2', 1000, 1795458246744, 0, '{"shown":{"id":"51fb2242-0502-8940-b3ed-905222ac69bd","event":{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff"},"state":"retrying","attempts":[{"at":"2026-11-23T18:23:06.728Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":32.007,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T18:24:06.744Z"},"bodies":[{"type":"task.created","id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","created":"2026-11-23T18:23:06.291Z","collection":"tasks","recordId":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","place":"/data/object","text":"{\"id\":\"232aa3e2-c6f4-8731-a56b-d9a0e1887833\",\"type\":\"task.created\",\"created\":\"2026-11-23T18:23:06.291Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"object\":{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}}}","number":1000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","51fb2242-0502-8940-b3ed-905222ac69bd","svc-signature","t=1795458186,v1=9ee76087b2a8e0744811bf2b0cb92d93f4de751dbd6cdb6207af964fbdce8216"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjIzMmFhM2UyLWM2ZjQtODczMS1hNTZiLWQ5YTBlMTg4NzgzMyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QxODoyMzowNi4yOTFaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsIm9iamVjdCI6eyJpZCI6ImNmYTQxYjRmLTViOTMtNGMxMS04M2U3LWZkOTYyOGRmZDBmZiIsInRpdGxlIjoiQmVmb3JlIn19fQ=="}]}', 1795458186801);
INSERT INTO backlot.delivery VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', '76049014-a0af-4a83-8e3d-e25447f102d2', 2000, 1795458247459, 0, '{"shown":{"id":"59e4d034-9217-8630-aab7-6ebcf3f625db","event":{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83"},"state":"retrying","attempts":[{"at":"2026-11-23T18:23:07.324Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":138.644,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T18:24:07.459Z"},"bodies":[{"type":"task.created","id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","created":"2026-11-23T18:23:06.701Z","collection":"tasks","recordId":"12a67f79-0ed9-457b-b65e-4311487bad83","place":"/data/object","text":"{\"id\":\"1b7fb84d-4618-8ca7-9f0f-8914f57d228a\",\"type\":\"task.created\",\"created\":\"2026-11-23T18:23:06.701Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"object\":{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}}}","number":2000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","59e4d034-9217-8630-aab7-6ebcf3f625db","svc-signature","t=1795458187,v1=553f04f828401c0ea798b80eb359ba265489a6357a9ca35ff06dc711b5fbd4ae"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6IjFiN2ZiODRkLTQ2MTgtOGNhNy05ZjBmLTg5MTRmNTdkMjI4YSIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QxODoyMzowNi43MDFaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsIm9iamVjdCI6eyJpZCI6IjEyYTY3Zjc5LTBlZDktNDU3Yi1iNjVlLTQzMTE0ODdiYWQ4MyIsInRpdGxlIjoiQWZ0ZXIifX19"}]}', 1795458187512);
INSERT INTO backlot.delivery VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', '76049014-a0af-4a83-8e3d-e25447f102d2', 3000, 1795458247461, 0, '{"shown":{"id":"9957d0f7-d376-8bfb-b616-d87dfe781f39","event":{"id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","type":"task.created","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265"},"state":"retrying","attempts":[{"at":"2026-11-23T18:23:07.462Z","status":null,"error":"connection error: connect ECONNREFUSED 127.0.0.1:1","durationMs":1.444,"address":"127.0.0.1"}],"nextAttemptAt":"2026-11-23T18:24:07.461Z"},"bodies":[{"type":"task.created","id":"b5afd7a6-5c69-855b-925e-b7a44c6c407c","created":"2026-11-23T19:23:06.000Z","collection":"tasks","recordId":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","place":"/data/object","text":"{\"id\":\"b5afd7a6-5c69-855b-925e-b7a44c6c407c\",\"type\":\"task.created\",\"created\":\"2026-11-23T19:23:06.000Z\",\"data\":{\"collection\":\"tasks\",\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"object\":{\"id\":\"aca7ef9c-934c-4bdd-b5e1-1f8384105265\",\"title\":\"Look into memory leak on the invoice PDF\"}}}","number":3000}],"sent":[{"headers":["content-type","application/json","user-agent","Svc-Webhooks/1.0","svc-event","task.created","svc-delivery","9957d0f7-d376-8bfb-b616-d87dfe781f39","svc-signature","t=1795458187,v1=09f034ab8ebe9a8d461ce46f54965d5b9dae5ca573bdb168902d3748f64f03e8"],"query":"","url":"http://127.0.0.1:1/","attempt":1,"rawBody":"eyJpZCI6ImI1YWZkN2E2LTVjNjktODU1Yi05MjVlLWI3YTQ0YzZjNDA3YyIsInR5cGUiOiJ0YXNrLmNyZWF0ZWQiLCJjcmVhdGVkIjoiMjAyNi0xMS0yM1QxOToyMzowNi4wMDBaIiwiZGF0YSI6eyJjb2xsZWN0aW9uIjoidGFza3MiLCJpZCI6ImFjYTdlZjljLTkzNGMtNGJkZC1iNWUxLTFmODM4NDEwNTI2NSIsIm9iamVjdCI6eyJpZCI6ImFjYTdlZjljLTkzNGMtNGJkZC1iNWUxLTFmODM4NDEwNTI2NSIsInRpdGxlIjoiTG9vayBpbnRvIG1lbW9yeSBsZWFrIG9uIHRoZSBpbnZvaWNlIFBERiJ9fX0="}]}', 1795458187512);
INSERT INTO backlot.description VALUES ('a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', '"openapi: 3.1.0\ninfo: { title: Tasks, version: ''1'' }\npaths:\n  /tasks:\n    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: ''#/components/schemas/Task'' } } } } } } }\n    post:\n      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }\n      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: ''#/components/schemas/Task'' } } } } }\ncomponents: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }\n"', '2026-11-23 18:23:06.157486+00');
INSERT INTO backlot.dispatch VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 0, 0, 3, 1795458246744, NULL, NULL, '{"offsetMs":0,"faults":[]}');
INSERT INTO backlot.journal VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 1, '632b1ab5-f48f-4b62-8926-d37a9a0a779c', 1795458186288, '{"v":1,"at":1795458186138,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"webhooks":[["76049014-a0af-4a83-8e3d-e25447f102d2",{"id":"76049014-a0af-4a83-8e3d-e25447f102d2","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_c464ccf122c3de6404ec227d9e3f75c921b0eed6bfca56f797853cc00459f386"}]]},"events":{"added":[],"sequence":0,"generation":0}}', '2026-11-23 18:23:06.336032+00');
INSERT INTO backlot.journal VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 2, '0a80b163-b0c5-4d2b-bbb5-28caf79a4f29', 1795458186528, '{"v":1,"at":1795458186291,"world":{"fromStart":false,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795458186291,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0}}', '2026-11-23 18:23:06.51626+00');
INSERT INTO backlot.journal VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 3, 'e461410b-b600-4182-94dd-298182cf3529', 1795458186854, '{"v":1,"at":1795458186701,"world":{"fromStart":false,"collections":[{"name":"tasks","created":2,"positions":[{"position":26,"record":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"},"made":{"key":"12a67f79-0ed9-457b-b65e-4311487bad83","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"12a67f79-0ed9-457b-b65e-4311487bad83","at":1795458186701,"cause":"request","generation":0,"sequence":1}],"sequence":2,"generation":0}}', '2026-11-23 18:23:06.874038+00');
INSERT INTO backlot.journal VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 4, '5f8a1b44-9838-44b6-8acb-05ad0e87cdef', 1795458186937, '{"v":1,"at":1795458186787,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"rules":[["1eeef58e-0729-8c2b-889c-ff364f1a89cb",{"rule":{"name":"sorry","kind":"error","config":{"status":503},"method":"DELETE","pathPattern":"/tasks*","id":"1eeef58e-0729-8c2b-889c-ff364f1a89cb"},"addedAt":1795458186787}]],"totals":[["rules",1]]},"events":{"added":[],"sequence":2,"generation":0}}', '2026-11-23 18:23:06.949499+00');
INSERT INTO backlot.journal VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 5, '2542f4e7-08c7-4038-933c-e906091842b5', 1795458187087, '{"v":1,"at":1795461786909,"world":{"fromStart":false,"collections":[{"name":"tasks","created":3,"positions":[{"position":27,"record":{"id":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","title":"Look into memory leak on the invoice PDF"},"made":{"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",3599850]],"runs":[["tasks_arrive",{"nextAt":1795465386000,"count":1}]]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","at":1795461786000,"cause":"fast-forward","generation":0,"sequence":2}],"sequence":3,"generation":0}}', '2026-11-23 18:23:07.093762+00');
INSERT INTO backlot.journal_head VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 5, '2542f4e7-08c7-4038-933c-e906091842b5', NULL, NULL, 1795461786150, NULL, NULL, 1795458186157);
INSERT INTO backlot.lane VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', '76049014-a0af-4a83-8e3d-e25447f102d2', 0, 0);
INSERT INTO backlot.request_log VALUES ('9201839e-04ab-4b05-80eb-1ba7d014d951-1', 'a971cd59-35b4-4513-b246-eba000332ffd', 1795458186520787, 1795458186894758, 2, 2154, '[{"id":"req_1795458186520787","at":"2026-11-23T18:23:06.291Z","method":"POST","path":"/tasks","status":201,"durationMs":127.253,"sourceIp":"127.0.0.1","operation":"POST /tasks","ruleId":null,"key":"svc_sim_012345","warnings":[]},{"id":"req_1795458186894758","at":"2026-11-23T18:23:06.701Z","method":"POST","path":"/tasks","status":201,"durationMs":59.241,"sourceIp":"127.0.0.1","operation":"POST /tasks","ruleId":null,"key":"svc_sim_012345","warnings":[]}]', '[{"request":{"headers":{"host":"127.0.0.1:36163","connection":"keep-alive","authorization":"Bearer svc_sim_012345…","content-type":"application/json","accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node","accept-encoding":"gzip, deflate","content-length":"18"},"body":"{\"title\":\"Before\"}","encoding":"utf-8","bytes":18,"truncated":false},"response":{"headers":{"content-type":"application/json"},"body":"{\"id\":\"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff\",\"title\":\"Before\"}","encoding":"utf-8","bytes":62,"truncated":false,"fault":null},"changes":[{"id":"232aa3e2-c6f4-8731-a56b-d9a0e1887833","type":"task.created","created":"2026-11-23T18:23:06.291Z","data":{"collection":"tasks","id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","object":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"}},"cause":"request"}]},{"request":{"headers":{"host":"127.0.0.1:36163","connection":"keep-alive","authorization":"Bearer svc_sim_012345…","content-type":"application/json","accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node","accept-encoding":"gzip, deflate","content-length":"17"},"body":"{\"title\":\"After\"}","encoding":"utf-8","bytes":17,"truncated":false},"response":{"headers":{"content-type":"application/json"},"body":"{\"id\":\"12a67f79-0ed9-457b-b65e-4311487bad83\",\"title\":\"After\"}","encoding":"utf-8","bytes":61,"truncated":false,"fault":null},"changes":[{"id":"1b7fb84d-4618-8ca7-9f0f-8914f57d228a","type":"task.created","created":"2026-11-23T18:23:06.701Z","data":{"collection":"tasks","id":"12a67f79-0ed9-457b-b65e-4311487bad83","object":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"}},"cause":"request"}]}]');
INSERT INTO backlot.request_total VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 2);
INSERT INTO backlot.saved_state VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 1, '{"v":1,"at":1795458186291,"world":{"fromStart":true,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",-150]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795461786000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345","createdAt":1795458186001}]],"webhooks":[["76049014-a0af-4a83-8e3d-e25447f102d2",{"id":"76049014-a0af-4a83-8e3d-e25447f102d2","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_c464ccf122c3de6404ec227d9e3f75c921b0eed6bfca56f797853cc00459f386"}]],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795458186291,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0},"isWhole":true}', '{"at":"2026-11-23T18:23:06.291Z","name":null,"changes":1}');
INSERT INTO backlot.schema_version VALUES (9);
INSERT INTO backlot.simulation OVERRIDING SYSTEM VALUE VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 1, 'team', 'tasks', '{"name":"Tasks","hasOwnSlug":true,"volume":{},"seedRecords":{},"keyPrefixes":[],"access":{"ipRestrictionEnabled":false,"ipAllowlist":[],"creatorIp":"127.0.0.1"},"createdAt":1795458186150}', 'a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', 1, 1);
INSERT INTO backlot.state VALUES ('a971cd59-35b4-4513-b246-eba000332ffd', 0, '7d680e71-8774-4a98-8d99-fc9db609d93e', 1795458186150, '{"v":1,"at":1795458186001,"world":{"fromStart":true,"collections":[],"singletons":[]},"settings":{"clock":[["offsetMs",-150]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795461786000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345","createdAt":1795458186001}]],"webhooks":[],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[],"sequence":0,"generation":0},"isWhole":true}');
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
