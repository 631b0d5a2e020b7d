import { expect } from 'chai';
import { z } from 'zod';
import { defineRoute, type RouteDefinition } from '../define-route.js';
import { ERROR_CODES, isErrorCode } from '@countersign/model';
import { routes } from '../routes/index.js';
import { buildOpenApiDocument } from './build-document.js';

interface Operation {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { in?: string; name?: string; required?: boolean; $ref?: string }[];
  requestBody?: { required: boolean; content: Record<string, unknown> };
  responses: Record<
    string,
    { description: string; headers: object; content?: Record<string, { schema?: unknown; examples?: object }> }
  >;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

// Serialises and parses the document, so that the tests read what a client receives.
const toClientView = (value: unknown) =>
  JSON.parse(JSON.stringify(value)) as Record<string, never> & {
    paths: Record<string, Record<string, Operation>>;
    tags: { name: string; description?: string }[];
    components: Record<string, Record<string, unknown>>;
  };
const document = toClientView(buildOpenApiDocument({ version: '1.2.3' }));
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe('buildOpenApiDocument', () => {
  it('should describe each registered route exactly once', () => {
    const documentedRoutes = operations.map(
      ({ path, method, operation }) => `${method} ${path} ${operation.operationId}`,
    );
    const declaredRoutes = Object.values(routes).map((route) => `${route.method} ${route.path} ${route.operationId}`);
    expect(documentedRoutes).to.have.members(declaredRoutes);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).to.equal(documentedRoutes.length);
    expect(operations.every(({ method }) => METHODS.includes(method))).to.be.true;
  });

  it('should produce an OpenAPI 3.1 document with the version of the server', () => {
    expect(document).to.deep.nested.include({
      'openapi': '3.1.0',
      'info.version': '1.2.3',
      'info.title': 'Countersign',
    });
    expect(document.paths).to.be.an('object');
  });

  it('should resolve every reference and reference every schema', () => {
    const refs = new Set(collectValues(document, '$ref') as string[]);
    for (const ref of refs) {
      expect(resolveReference(document, ref), ref).to.be.an('object');
    }
    const mappedRefs = (collectValues(document, 'discriminator') as { mapping: Record<string, string> }[]).flatMap(
      ({ mapping }) => Object.values(mapping),
    );
    expect(mappedRefs).to.not.be.empty;
    mappedRefs.forEach((ref) => expect(resolveReference(document, ref), ref).to.be.an('object'));
    for (const name of Object.keys(document.components['schemas'] ?? {})) {
      expect(refs, name).to.include(`#/components/schemas/${name}`);
    }
  });

  it('should declare each path parameter as required and no parameter twice', () => {
    for (const { path, operation } of operations) {
      const parameters = operation.parameters.map((parameter) =>
        parameter.$ref ? (resolveReference(document, parameter.$ref) as typeof parameter) : parameter,
      );
      const pathParameters = [...path.matchAll(/\{(.+?)\}/g)].map((match) => match[1]);
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).to.have.members(
        pathParameters,
      );
      expect(parameters.every((parameter) => parameter.in !== 'path' || parameter.required)).to.be.true;
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name?.toLowerCase()}`);
      expect(new Set(keys).size, operation.operationId).to.equal(keys.length);
      expect(parameters.some((parameter) => parameter.name === 'Idempotency-Key')).to.equal(
        (routes as Record<string, RouteDefinition>)[operation.operationId]?.idempotent ?? false,
      );
    }
  });

  it('should describe each response, and each error as a problem document with examples of its status', () => {
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(response.description, `${operation.operationId} ${status}`).to.be.a('string').and.not.empty;
        expect(response.headers).to.have.property('X-Request-Id');
        if (Number(status) >= 400) {
          const problem = response.content?.['application/problem+json'];
          expect(problem?.schema, `${operation.operationId} ${status}`).to.deep.equal({
            $ref: '#/components/schemas/Problem',
          });
          for (const code of Object.keys(problem?.examples ?? {})) {
            expect(isErrorCode(code) && String(ERROR_CODES[code].status)).to.equal(status);
          }
        }
      }
      expect(Object.keys(operation.responses)).to.include.members(['429', '500', '503']);
      const { signed = false } = (routes as Record<string, RouteDefinition>)[operation.operationId] ?? {};
      const needsToken =
        operation.security.length > 0 && operation.security.every((requirement) => Object.keys(requirement).length > 0);
      expect('401' in operation.responses).to.equal(needsToken || signed);
    }
  });

  it('should declare the minimum role of each operation', () => {
    expect(document.paths['/api/health/live']?.['get']?.security).to.deep.equal([]);
    expect(document.paths['/api/approvals/{approvalId}/decision']?.['post']?.security).to.deep.equal([
      { bearer: ['approver'] },
    ]);
    expect(document.paths['/api/health/ready']?.['get']?.security).to.deep.equal([{}, { bearer: ['operator'] }]);
  });

  it('should describe all tags in use and no others', () => {
    expect(document.tags.map(({ name }) => name)).to.have.members([
      ...new Set(operations.flatMap(({ operation }) => operation.tags)),
    ]);
    expect(document.tags.every(({ description }) => description)).to.be.true;
  });

  it('should include only valid request examples', () => {
    const requestExamples = (Object.values(routes) as RouteDefinition[]).flatMap((route) =>
      Object.values(route.requestExamples ?? {}).map((example) => ({ route, example })),
    );
    expect(requestExamples).not.to.be.empty;
    for (const { route, example } of requestExamples) {
      expect(route.body?.safeParse(example.value).error, `${route.operationId}: ${example.summary}`).to.be.undefined;
    }
  });

  it('should refuse unknown fields in requests and allow them in responses', () => {
    expect(document.components['schemas']?.['StartRun']).to.include({ additionalProperties: false });
    expect(document.components['schemas']?.['Run']).not.to.have.property('additionalProperties');
  });

  it('should not contain properties next to a `$ref`', () => {
    const referenceFields = [
      ...JSON.stringify(buildOpenApiDocument({ version: '1' })).matchAll(/\{[^{}]*"\$ref":[^{}]*\}/g),
    ].flatMap(([text]) => Object.keys(JSON.parse(text) as object));
    expect([...new Set(referenceFields)]).to.deep.equal(['$ref']);
  });

  it('should mark every property of a run as required', () => {
    const run = document.components['schemas']?.['RunDetail'] as { properties: object; required: string[] };
    expect(run.required).to.have.members(Object.keys(run.properties));
  });

  it('should include the default values of query parameters', () => {
    const parameters = document.paths['/api/approvals']?.['get']?.parameters as {
      name?: string;
      schema?: { default?: unknown };
    }[];
    const getDefault = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema?.default;
    expect(getDefault('limit')).to.equal(50);
    expect(getDefault('status')).to.equal('pending');
    expect(getDefault('sort')).to.equal('newest');
  });

  describe('with routes from a plugin', () => {
    const pingRoute = defineRoute({
      operationId: 'ping',
      method: 'get',
      path: '/api/x/ping',
      tag: 'x',
      summary: 'Ping',
      role: 'viewer',
      responses: { 200: { description: 'Pong.', content: { 'application/json': z.object({ pong: z.boolean() }) } } },
      errors: [],
    });

    it('should include the routes and tags of the plugin', () => {
      const documentWithPing = toClientView(
        buildOpenApiDocument({
          version: '1',
          routes: [...Object.values(routes), pingRoute],
          tags: { x: 'An example.' },
        }),
      );
      expect(documentWithPing.paths['/api/x/ping']?.['get']?.operationId).to.equal('ping');
      expect(documentWithPing.tags).to.deep.include({ name: 'x', description: 'An example.' });
    });

    it('should refuse two routes with the same operation id or the same path', () => {
      expect(() =>
        buildOpenApiDocument({ version: '1', routes: [pingRoute, { ...pingRoute, path: '/api/x/pong' }] }),
      ).to.throw(TypeError, 'ping');
      expect(() =>
        buildOpenApiDocument({ version: '1', routes: [pingRoute, { ...pingRoute, operationId: 'pong' }] }),
      ).to.throw(TypeError, 'pong');
    });
  });
});

/** Returns all values of a key, at any depth. */
function collectValues(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === key ? [member] : []),
    ...collectValues(member, key),
  ]);
}

function resolveReference(root: unknown, ref: string): unknown {
  expect(ref).to.match(/^#\//);
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (current, segment) =>
        (current as Record<string, unknown> | undefined)?.[segment.replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );
}
