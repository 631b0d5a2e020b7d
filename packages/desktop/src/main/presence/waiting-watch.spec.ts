import type { ChangeMessage } from '@countersign/contract';
import { expect } from 'chai';
import { HandClock } from './clock.spec.support.js';
import { anApproval, ApprovalsInMemory, changeOf, SERVER, settled } from './presence.spec.support.js';
import { WaitingWatch } from './waiting-watch.js';

describe('WaitingWatch', () => {
  let clock: HandClock;
  let client: ApprovalsInMemory;
  let watch: WaitingWatch;
  let updates: number;

  beforeEach(() => {
    clock = new HandClock();
    client = new ApprovalsInMemory(anApproval('one'), anApproval('two'));
    updates = 0;
    watch = new WaitingWatch({ serverId: SERVER, client, clock, onUpdate: () => (updates += 1) });
  });

  const after = async (ms: number): Promise<void> => {
    clock.pass(ms);
    await settled();
  };
  const ids = (): string[] => watch.items.map(({ approvalId }) => approvalId);

  it('should be ready with all waiting approvals after the list is loaded', async () => {
    expect({ ready: watch.ready, ids: ids() }).to.deep.equal({ ready: false, ids: [] });
    watch.refresh();
    await after(0);
    expect({ ready: watch.ready, complete: watch.complete, ids: ids(), updates }).to.deep.equal({
      ready: true,
      complete: true,
      ids: ['one', 'two'],
      updates: 1,
    });
  });

  it('should load each changed approval once and ignore other changes', async () => {
    // given
    watch.refresh();
    await after(0);
    client.asked.length = 0;
    client.byId.set('three', anApproval('three'));
    client.byId.set('one', anApproval('one', { status: 'approved' }));
    client.byId.delete('two');
    // when
    for (const id of ['three', 'three', 'one', 'two']) watch.changed(changeOf(id));
    watch.changed({
      id: '2',
      type: 'change',
      change: { type: 'step.completed', data: { approvalId: 'four' } },
    } as unknown as ChangeMessage);
    await after(1_000);
    // then
    expect(ids()).to.deep.equal(['three']);
    expect(client.asked).to.deep.equal(['three', 'one', 'two']);
  });

  it('should remove an approval that the person can no longer decide', async () => {
    watch.refresh();
    await after(0);
    client.byId.set('one', anApproval('one', { canDecide: { allowed: false, reasons: ['already_voted'] } }));
    watch.changed(changeOf('one', 'approval.voted'));
    await after(1_000);
    expect(ids()).to.deep.equal(['two']);
  });

  it('should reload the list after many changes in one batch or after a reset of the feed', async () => {
    watch.refresh();
    await after(0);
    client.asked.length = 0;
    for (let n = 0; n < 50; n += 1) watch.changed(changeOf(`new-${n}`));
    await after(1_000);
    expect(client.asked).to.deep.equal(['list']);
    watch.changed({ id: '9', type: 'reset' } as unknown as ChangeMessage);
    await after(1_000);
    expect(client.asked).to.deep.equal(['list', 'list']);
  });

  it('should load a changed approval again after the first attempt failed', async () => {
    // given
    watch.refresh();
    await after(0);
    client.fails = true;
    client.byId.set('three', anApproval('three'));
    watch.changed(changeOf('three'));
    await after(1_000);
    expect(ids()).to.deep.equal(['one', 'two']);
    // when
    client.fails = false;
    await after(10_000);
    // then
    expect(ids()).to.deep.equal(['one', 'two', 'three']);
  });

  it('should keep the 1,000 most urgent approvals and report the list as incomplete', async () => {
    for (let n = 0; n < 1_500; n += 1) client.byId.set(`many-${n}`, anApproval(`many-${n}`));
    watch.refresh();
    await after(0);
    expect({ complete: watch.complete, count: watch.items.length }).to.deep.equal({ complete: false, count: 1_000 });
  });

  it('should stop loading pages when it is closed during the load', async () => {
    for (let n = 0; n < 900; n += 1) client.byId.set(`many-${n}`, anApproval(`many-${n}`));
    watch.refresh();
    clock.pass(0);
    watch.close();
    await settled();
    expect(client.asked).to.deep.equal(['list']);
  });

  it('should send no requests after close()', async () => {
    watch.refresh();
    watch.close();
    watch.changed(changeOf('one'));
    await after(60_000);
    expect({ asked: client.asked, updates }).to.deep.equal({ asked: [], updates: 0 });
  });
});
