CREATE SCHEMA backlot;
CREATE TABLE backlot.description (
    hash text NOT NULL,
    text text NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);
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
    hold text
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
INSERT INTO backlot.description VALUES ('a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', '"openapi: 3.1.0\ninfo: { title: Tasks, version: ''1'' }\npaths:\n  /tasks:\n    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: ''#/components/schemas/Task'' } } } } } } }\n    post:\n      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }\n      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: ''#/components/schemas/Task'' } } } } }\ncomponents: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }\n"', '2026-11-22 20:54:56.21385+00');
INSERT INTO backlot.journal VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 1, '74459666-da37-41c2-b448-bfed9311b4d9', 1795380896303, '{"v":1,"at":1795380896091,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"webhooks":[["7b577d1e-72d2-419a-8730-b41af7dbd0f7",{"id":"7b577d1e-72d2-419a-8730-b41af7dbd0f7","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_ba73f808890091646c878424b7c188a0460277a4c72a0e097a885a033a13703b"}]]},"events":{"added":[],"sequence":0,"generation":0}}', '2026-11-22 20:54:56.308293+00');
INSERT INTO backlot.journal VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 2, '092df9aa-4f76-4a52-8cf6-6279f121216c', 1795380896338, '{"v":1,"at":1795380896125,"world":{"fromStart":false,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795380896125,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0}}', '2026-11-22 20:54:56.352405+00');
INSERT INTO backlot.journal VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 3, '3066bd4d-8ef3-48ae-8243-54cf423e67be', 1795380896388, '{"v":1,"at":1795380896171,"world":{"fromStart":false,"collections":[{"name":"tasks","created":2,"positions":[{"position":26,"record":{"id":"12a67f79-0ed9-457b-b65e-4311487bad83","title":"After"},"made":{"key":"12a67f79-0ed9-457b-b65e-4311487bad83","scope":{}}}]}],"singletons":[]},"settings":{},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"12a67f79-0ed9-457b-b65e-4311487bad83","at":1795380896171,"cause":"request","generation":0,"sequence":1}],"sequence":2,"generation":0}}', '2026-11-22 20:54:56.388833+00');
INSERT INTO backlot.journal VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 4, '0571cd01-845e-44d1-bc26-61ad478687e5', 1795380896407, '{"v":1,"at":1795380896194,"world":{"fromStart":false,"collections":[],"singletons":[]},"settings":{"rules":[["1eeef58e-0729-8c2b-889c-ff364f1a89cb",{"rule":{"name":"sorry","kind":"error","config":{"status":503},"method":"DELETE","pathPattern":"/tasks*","id":"1eeef58e-0729-8c2b-889c-ff364f1a89cb"},"addedAt":1795380896194}]],"totals":[["rules",1]]},"events":{"added":[],"sequence":2,"generation":0}}', '2026-11-22 20:54:56.406411+00');
INSERT INTO backlot.journal VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 5, 'a881d814-8adc-4833-a960-db1dfc5ccd76', 1795380896422, '{"v":1,"at":1795384496208,"world":{"fromStart":false,"collections":[{"name":"tasks","created":3,"positions":[{"position":27,"record":{"id":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","title":"Look into memory leak on the invoice PDF"},"made":{"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",3599788]],"runs":[["tasks_arrive",{"nextAt":1795388096000,"count":1}]]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"aca7ef9c-934c-4bdd-b5e1-1f8384105265","at":1795384496000,"cause":"fast-forward","generation":0,"sequence":2}],"sequence":3,"generation":0}}', '2026-11-22 20:54:56.427474+00');
INSERT INTO backlot.journal_head VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 5, 'a881d814-8adc-4833-a960-db1dfc5ccd76', NULL, NULL);
INSERT INTO backlot.saved_state VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 1, '{"v":1,"at":1795380896125,"world":{"fromStart":true,"collections":[{"name":"tasks","created":1,"positions":[{"position":25,"record":{"id":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","title":"Before"},"made":{"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","scope":{}}}]}],"singletons":[]},"settings":{"clock":[["offsetMs",-212]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795384496000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[["7b577d1e-72d2-419a-8730-b41af7dbd0f7",{"id":"7b577d1e-72d2-419a-8730-b41af7dbd0f7","url":"http://127.0.0.1:1/","events":["task.created"],"secret":"whsec_ba73f808890091646c878424b7c188a0460277a4c72a0e097a885a033a13703b"}]],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[{"kind":"created","subject":"tasks","isSingleton":false,"key":"cfa41b4f-5b93-4c11-83e7-fd9628dfd0ff","at":1795380896125,"cause":"request","generation":0,"sequence":0}],"sequence":1,"generation":0},"isWhole":true}');
INSERT INTO backlot.schema_version VALUES (1);
INSERT INTO backlot.simulation OVERRIDING SYSTEM VALUE VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 1, 'team', 'tasks', '{"name":"Tasks","hasOwnSlug":true,"volume":{},"seedRecords":{},"access":{"ipRestrictionEnabled":false,"ipAllowlist":[],"creatorIp":"127.0.0.1"},"createdAt":1795380896212}', 'a134f50dcfdd10c8ba59847d5b66f0aac44aa5c92eb20a2f27cd3112bf4dc400', 1, 1);
INSERT INTO backlot.state VALUES ('21879e16-d06e-49d6-ad45-12c35a94f760', 0, '868348ad-85d4-4a4e-a906-0a22e4e8bf3e', 1795380896212, '{"v":1,"at":1795380896000,"world":{"fromStart":true,"collections":[],"singletons":[]},"settings":{"clock":[["offsetMs",-212]],"plan":[["tasks_arrive",{"id":"tasks_arrive","name":"New tasks arrive","everySeconds":3600,"enabled":true,"steps":[{"kind":"create","collection":"tasks","count":1,"maxRecords":2000}]}]],"runs":[["tasks_arrive",{"nextAt":1795384496000,"count":0}]],"carries":[],"rules":[],"ruleCounters":[],"totals":[],"rateLimits":[],"answers":[],"access":[["list",{"ipRestrictionEnabled":false,"ipAllowlist":["127.0.0.1"]}]],"keys":[["9d2598c254fc1aaa6b4564f7355615c38306e2c03e9d362ef64d76a60438981a",{"name":"default","prefix":"svc_sim_012345"}]],"webhooks":[],"webhooksOff":[],"webhookFaults":[]},"events":{"added":[],"sequence":0,"generation":0},"isWhole":true}');
SELECT pg_catalog.setval('backlot.simulation_number_seq', 1, true);
ALTER TABLE ONLY backlot.description
    ADD CONSTRAINT description_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY backlot.journal_head
    ADD CONSTRAINT journal_head_pkey PRIMARY KEY (simulation);
ALTER TABLE ONLY backlot.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (simulation, head);
ALTER TABLE ONLY backlot.saved_state
    ADD CONSTRAINT saved_state_pkey PRIMARY KEY (simulation, number);
ALTER TABLE ONLY backlot.simulation
    ADD CONSTRAINT simulation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY backlot.simulation
    ADD CONSTRAINT simulation_slug_key UNIQUE (slug);
ALTER TABLE ONLY backlot.state
    ADD CONSTRAINT state_pkey PRIMARY KEY (simulation);
CREATE INDEX simulation_account_idx ON backlot.simulation USING btree (account);
CREATE INDEX simulation_description_idx ON backlot.simulation USING btree (description);
ALTER TABLE ONLY backlot.journal_head
    ADD CONSTRAINT journal_head_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.journal
    ADD CONSTRAINT journal_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.saved_state
    ADD CONSTRAINT saved_state_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
ALTER TABLE ONLY backlot.state
    ADD CONSTRAINT state_simulation_fkey FOREIGN KEY (simulation) REFERENCES backlot.simulation(id) ON DELETE CASCADE;
