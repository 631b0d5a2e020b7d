import { expect } from 'chai';
import { AddressQueue, type Place } from './address-queue.js';

describe('AddressQueue', () => {
  const at = (query: string, pathname = '/runs'): Place => ({ pathname, query });
  let queue: AddressQueue;

  beforeEach(() => {
    queue = new AddressQueue();
    queue.show(at('status=failed'), 'first');
  });

  it('should start from what is shown', () => {
    expect(queue.latest).to.deep.equal(at('status=failed'));
  });

  it('should start from what was asked for last until all of it is shown', () => {
    // when
    queue.ask(at(''));
    queue.ask(at('q=7654'));

    // then
    expect(queue.latest).to.deep.equal(at('q=7654'));
    queue.show(at(''), 'second');
    expect(queue.latest).to.deep.equal(at('q=7654'));
    queue.show(at('q=7654'), 'third');
    expect(queue.latest).to.deep.equal(at('q=7654'));
  });

  it('should not take a part of the page that comes late for a way back', () => {
    // given
    queue.ask(at('q=7654'));

    // when
    queue.show(at('status=failed'), 'first');

    // then
    expect(queue.latest).to.deep.equal(at('q=7654'));
  });

  it('should forget what was asked for where a link leads elsewhere, or back to what is shown', () => {
    for (const place of [at('', '/approvals'), at('status=failed')]) {
      // given
      queue.ask(at('q=7654'));

      // when
      queue.show(place, `of ${place.pathname}`);

      // then
      expect(queue.latest).to.deep.equal(place);
    }
  });
});
