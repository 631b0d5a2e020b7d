import { expect } from 'chai';
import { PendingRequests } from './pending-requests.js';

describe('PendingRequests', () => {
  for (const method of ['end', 'cancel'] as const) {
    it(`should forget the events of a request after ${method}()`, () => {
      // given
      const pending = new PendingRequests();
      for (const id of [1, 2]) {
        pending.add(id, undefined);
        pending.rememberEvent(`event ${id}`, id);
      }
      expect(pending.findByEvent('event 1')).to.equal(1);

      // when
      pending[method](1);
      pending.rememberEvent('late event', 1);
      pending.add(1, undefined);

      // then
      for (const event of ['event 1', 'late event']) expect(pending.findByEvent(event)).to.equal(undefined);
      expect(pending.findByEvent('event 2')).to.equal(2);
    });
  }
});
