import type { ChangeMessage } from '@countersign/contract';
import { expect } from 'chai';
import { ManualClock } from './clock.spec.support.js';
import {
  createApproval,
  InMemoryInboxClient,
  createChange,
  SERVER,
  waitForResponses,
} from './waiting-items-monitor.spec.support.js';
import { WaitingItemsWatch } from './waiting-items-watch.js';

describe('WaitingItemsWatch', () => {
  let clock: ManualClock;
  let client: InMemoryInboxClient;
  let watch: WaitingItemsWatch;
  let updates: number;

  beforeEach(() => {
    clock = new ManualClock();
    client = new InMemoryInboxClient(createApproval('one'), createApproval('two'));
    updates = 0;
    watch = new WaitingItemsWatch({ serverId: SERVER, client, clock, onUpdate: () => (updates += 1) });
  });

  const advanceAndWait = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await waitForResponses();
  };
  const listIds = (): string[] => watch.items.map(({ approvalId }) => approvalId);

  it('should be ready with all waiting approvals after the list is loaded', async () => {
    expect({ ready: watch.isReady, ids: listIds() }).to.deep.equal({ ready: false, ids: [] });
    watch.refresh();
    await advanceAndWait(0);
    expect({ ready: watch.isReady, complete: watch.isComplete, ids: listIds(), updates }).to.deep.equal({
      ready: true,
      complete: true,
      ids: ['one', 'two'],
      updates: 1,
    });
  });

  it('should load the changed approvals with one request and ignore other changes', async () => {
    // given
    watch.refresh();
    await advanceAndWait(0);
    client.requests.length = 0;
    client.byId.set('three', createApproval('three'));
    client.byId.set('one', createApproval('one', { status: 'approved' }));
    client.byId.delete('two');
    // when
    for (const id of ['three', 'three', 'one', 'two']) watch.onChange(createChange(id));
    watch.onChange({
      id: '2',
      type: 'change',
      change: { type: 'step.completed', data: { approvalId: 'four' } },
    } as unknown as ChangeMessage);
    await advanceAndWait(1_000);
    // then
    expect(listIds()).to.deep.equal(['three']);
    expect(client.requests).to.deep.equal(['three,one,two']);
  });

  it('should remove an approval that the person can no longer decide', async () => {
    watch.refresh();
    await advanceAndWait(0);
    client.byId.set('one', createApproval('one', { canDecide: { allowed: false, reasons: ['already_voted'] } }));
    watch.onChange(createChange('one', 'approval.voted'));
    await advanceAndWait(1_000);
    expect(listIds()).to.deep.equal(['two']);
  });

  it('should reload the list after many changes in one batch or after a reset of the feed', async () => {
    watch.refresh();
    await advanceAndWait(0);
    client.requests.length = 0;
    for (let n = 0; n <= 50; n += 1) watch.onChange(createChange(`new-${n}`));
    await advanceAndWait(1_000);
    expect(client.requests).to.deep.equal(['list']);
    watch.onChange({ id: '9', type: 'reset' } as unknown as ChangeMessage);
    await advanceAndWait(1_000);
    expect(client.requests).to.deep.equal(['list', 'list']);
  });

  it('should load a changed approval again after the first attempt failed', async () => {
    // given
    watch.refresh();
    await advanceAndWait(0);
    client.isFailing = true;
    client.byId.set('three', createApproval('three'));
    watch.onChange(createChange('three'));
    await advanceAndWait(1_000);
    expect(listIds()).to.deep.equal(['one', 'two']);
    // when
    client.isFailing = false;
    await advanceAndWait(10_000);
    // then
    expect(listIds()).to.deep.equal(['one', 'two', 'three']);
  });

  it('should stop loading after 1,000 approvals and report the list as incomplete', async () => {
    for (let n = 0; n < 1_500; n += 1) client.byId.set(`many-${n}`, createApproval(`many-${n}`));
    watch.refresh();
    await advanceAndWait(0);
    expect({ complete: watch.isComplete, count: watch.items.length }).to.deep.equal({ complete: false, count: 1_000 });
  });

  it('should stop loading pages when it is closed during the load', async () => {
    for (let n = 0; n < 900; n += 1) client.byId.set(`many-${n}`, createApproval(`many-${n}`));
    watch.refresh();
    clock.advance(0);
    watch.close();
    await waitForResponses();
    expect(client.requests).to.deep.equal(['list']);
  });

  it('should send no requests after close()', async () => {
    watch.refresh();
    watch.close();
    watch.onChange(createChange('one'));
    await advanceAndWait(60_000);
    expect({ requests: client.requests, updates }).to.deep.equal({ requests: [], updates: 0 });
  });
});
