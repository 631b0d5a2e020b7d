import { expect } from 'chai';
import { ERROR_CODES } from '@countersign/model';
import { routes } from '../routes/index.js';
import { toRouteCall } from './route-call.js';
import { ROUTE_CALLS, VALIDATION_FAILED } from './route-calls.js';

describe('route calls', () => {
  it('should be those of the routes; `npm run docs` writes them', () => {
    // when
    const calls = Object.fromEntries(Object.entries(routes).map(([id, route]) => [id, toRouteCall(route)]));

    // then
    expect(ROUTE_CALLS).to.deep.equal(calls);
    expect(ERROR_CODES.validation_failed).to.include(VALIDATION_FAILED);
  });
});
