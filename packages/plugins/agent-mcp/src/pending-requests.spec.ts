import { expect } from 'chai';
import { PendingRequests } from './pending-requests.js';

describe('PendingRequests', () => {
  for (const how of ['end', 'cancel'] as const) {
    it(`should forget the events of a request after ${how}()`, () => {
      // given
      const pending = new PendingRequests();
      for (const id of [1, 2]) {
        pending.begin(id, undefined);
        pending.remember(`event ${id}`, id);
      }
      expect(pending.ofEvent('event 1')).to.equal(1);

      // when
      pending[how](1);
      pending.remember('late event', 1);
      pending.begin(1, undefined);

      // then
      for (const event of ['event 1', 'late event']) expect(pending.ofEvent(event)).to.equal(undefined);
      expect(pending.ofEvent('event 2')).to.equal(2);
    });
  }
});
