import { status } from '@grpc/grpc-js';
import type { StoredRun } from '@countersign/core/ports';
import { waitUntil } from '@countersign/model/testing';
import { toCachedRun } from '@countersign/engine';
import { expect } from 'chai';
import { Announcer } from './announcer.js';

const STORED_RUN: StoredRun = {
  engine: 'temporal',
  revision: 1,
  state: JSON.stringify({ instances: {}, completedAt: null }),
  lastEventHash: '',
  auditSeq: 0,
  lastAuditHash: '',
};

const SILENT_LOG = { debug: ignore, info: ignore, warn: ignore, error: ignore };

describe('Announcer', () => {
  it('should make other announcements while that of one run fails as if the cluster were unreachable', async () => {
    // given
    const storedRunIds = ['broken', 'one', 'two'];
    const accepted = new Set<string>();
    const announcer = new Announcer(
      'temporal',
      {
        address: 'localhost:7233',
        announce: async (runId) => {
          if (runId === 'broken') throw Object.assign(new Error('unavailable'), { code: status.UNAVAILABLE });
          accepted.add(runId);
        },
      },
      {
        claimAnnouncements: async ({ limit }) => storedRunIds.splice(0, limit).map((runId) => ({ runId, revision: 1 })),
        deleteAnnouncements: async () => undefined,
        loadRuns: async (runIds) => new Map(runIds.map((runId) => [runId, STORED_RUN])),
      },
      { now: () => 0 },
      SILENT_LOG,
    );

    // when
    announcer.isFailing = true;
    announcer.start();

    // then
    try {
      await waitUntil('the other runs are announced', () => accepted.size === 2);
      expect(storedRunIds).to.deep.equal([]);
    } finally {
      await announcer.stop();
    }
  });

  it('should delete announcements that are accepted soon after each other together, before it stops', async () => {
    // given
    const deletions: string[][] = [];
    const announcer = new Announcer(
      'temporal',
      { address: 'localhost:7233', announce: async () => undefined },
      {
        claimAnnouncements: async () => [],
        deleteAnnouncements: async (announcements) => {
          deletions.push(announcements.map(({ runId, revision }) => `${runId}:${revision}`));
        },
        loadRuns: async () => new Map(),
      },
      { now: () => 0 },
      SILENT_LOG,
    );

    // when
    announcer.announce('one', toCachedRun(STORED_RUN));
    announcer.announce('two', toCachedRun(STORED_RUN));
    await waitUntil('announcements are deleted', () => deletions.length > 0);
    announcer.announce('three', toCachedRun(STORED_RUN));
    await announcer.stop();

    // then
    expect(deletions).to.deep.equal([['one:1', 'two:1'], ['three:1']]);
  });
});

function ignore(): void {
  // Nothing is logged.
}
