import { expect } from 'chai';
import { z } from 'zod';
import { defineRoute, getErrorCodes } from './define-route.js';
import { routes } from './routes/index.js';

describe('defineRoute', () => {
  it('should refuse a path with undeclared parameters', () => {
    // given
    const route = {
      operationId: 'getThing',
      method: 'get',
      path: '/api/things/{thingId}',
      tag: 'things',
      summary: 'A thing',
      role: 'viewer',
      responses: {},
      errors: [],
    } as const;

    // then
    expect(() => defineRoute(route)).to.throw(TypeError, 'getThing');
    expect(() => defineRoute({ ...route, params: z.strictObject({ thingId: z.string() }) })).not.to.throw();
  });

  it('should register each route under its operation id, with request schemas that refuse unknown fields', () => {
    for (const [operationId, route] of Object.entries(routes) as [
      string,
      { operationId: string; params?: z.ZodObject; query?: z.ZodObject; body?: z.ZodType },
    ][]) {
      expect(route.operationId).to.equal(operationId);
      for (const schema of [route.params, route.query, route.body]) {
        if (schema instanceof z.ZodObject) {
          expect(schema.def.catchall, operationId).to.be.instanceOf(z.ZodNever);
        }
      }
    }
  });

  it('should add the error codes implied by the role, parameters and body of a route', () => {
    expect(getErrorCodes(routes.getLive)).not.to.include('unauthenticated');
    expect(getErrorCodes(routes.getRun)).to.include.members([
      'unauthenticated',
      'forbidden',
      'run_not_found',
      'rate_limited',
    ]);
    expect(getErrorCodes(routes.startRun)).to.include.members([
      'malformed_json',
      'validation_failed',
      'idempotency_key_reused',
      'workflow_not_found',
    ]);
    expect(getErrorCodes(routes.uploadArtifact)).to.include('payload_too_large').and.not.to.include('malformed_json');
  });
});
