import { expect } from 'chai';
import { getEventListeners } from 'node:events';
import { withLinkedSignal } from './linked-signal.js';

describe('withLinkedSignal', () => {
  it('should abort with the reason of any linked signal, even if it was aborted before', async () => {
    const reason = new Error('stop');
    const first = new AbortController();
    const second = new AbortController();

    await withLinkedSignal([undefined, first.signal, second.signal], async (signal) => {
      expect(signal.aborted).to.equal(false);
      second.abort(reason);
      expect(signal.reason).to.equal(reason);
    });
    await withLinkedSignal([second.signal], async (signal) => expect(signal.reason).to.equal(reason));
  });

  it('should remove its listeners and not abort after the work has failed', async () => {
    const controller = new AbortController();
    let linked: AbortSignal | undefined;
    const work = async (signal: AbortSignal): Promise<void> => {
      linked = signal;
      throw new Error('work failed');
    };

    await withLinkedSignal([controller.signal], work).catch(() => undefined);
    controller.abort();

    expect(linked?.aborted).to.equal(false);
    expect(getEventListeners(controller.signal, 'abort')).to.eql([]);
  });
});
