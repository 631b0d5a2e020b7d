import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { createApproval } from '../inbox/inbox.spec.support.js';
import { PrefetchedApprovals } from './prefetched-approvals.js';

describe('PrefetchedApprovals', () => {
  let store: PrefetchedApprovals;
  let requests: (readonly string[])[];
  /** The approvals on the server. */
  let approvals: Map<string, Approval>;

  beforeEach(() => {
    store = new PrefetchedApprovals();
    requests = [];
    approvals = new Map(
      Array.from({ length: 100 }, (_, index) => createApproval({ approvalId: `id-${index}` })).map((approval) => [
        approval.approvalId,
        approval,
      ]),
    );
  });

  const load = (ids: readonly string[]): Promise<Approval[]> => {
    requests.push(ids);
    return Promise.resolve(ids.flatMap((id) => approvals.get(id) ?? []));
  };
  const list = (from: number, to: number): Approval[] => [...approvals.values()].slice(from, to);

  it('should load more only when few of the next approvals are stored', async () => {
    await store.prefetch(list(0, 20), load);
    await store.prefetch(list(14, 34), load);
    expect(requests.map(({ length }) => length)).to.deep.equal([20]);
    await store.prefetch(list(15, 35), load);
    expect(requests.map(({ length }) => length)).to.deep.equal([20, 15]);
    expect(store.get('id-34')).to.equal(approvals.get('id-34'));
  });

  it('should send one request at a time, and then load what comes next by now', async () => {
    const first = store.prefetch(list(0, 20), load);
    await Promise.all([store.prefetch(list(1, 21), load), store.prefetch(list(50, 70), load)]);
    await first;
    expect(requests.map(([id]) => id)).to.deep.equal(['id-0', 'id-50']);
  });

  it('should load a new version, and not request an approval again that the server does not return', async () => {
    // given
    await store.prefetch(list(0, 3), load);
    const changed = createApproval({ approvalId: 'id-1', round: 2 });
    approvals.set('id-1', changed);
    const gone = createApproval({ approvalId: 'gone' });

    // when
    for (let time = 0; time < 3; time += 1) await store.prefetch([...list(0, 3), gone], load);

    // then
    expect(requests.slice(1)).to.deep.equal([['id-1', 'gone']]);
    expect(store.get('id-1')).to.equal(changed);
  });

  it('should try again after a failure, and drop the oldest and, on request, all approvals', async () => {
    await store.prefetch(list(0, 20), () => Promise.reject(new Error('No response.')));
    expect(store.get('id-0')).to.equal(undefined);
    for (let from = 0; from < 80; from += 20) await store.prefetch(list(from, from + 20), load);
    expect([store.get('id-19'), store.get('id-20')?.approvalId]).to.deep.equal([undefined, 'id-20']);
    store.clear();
    expect(store.get('id-79')).to.equal(undefined);
  });
});
