import { expect } from 'chai';
import { waitUntil } from '@countersign/model/testing';
import type { JsonObject } from '@countersign/core/plugin';
import type { Change, ChangeFeed } from '@countersign/core/ports';
import type { StorageGetter } from '../storage-under-test.js';
import { deploy, nextId, createRunEvent, createRunRecord, createRunWrite } from '../storage-fixtures.js';

export function describeChangeFeed(getStorage: StorageGetter): void {
  describe('change feed', () => {
    beforeEach(() => deploy(getStorage().storage));

    /** Reads the feed from a position until it has returned `count` changes. Concurrent transactions may delay them. */
    async function followFeed(
      from: string,
      count: number,
      limit: number,
      reader: ChangeFeed = getStorage().other,
    ): Promise<Change[]> {
      const changes: Change[] = [];
      let position = from;
      return waitUntil('the feed has returned enough changes', async () => {
        const page = await reader.listChangesAfter(position, limit);
        expect(page.changes.length).to.be.at.most(limit);
        expect(page.position >= position).to.equal(true);
        changes.push(...page.changes);
        position = page.position;
        return changes.length >= count ? changes : undefined;
      });
    }

    it('should return the changes after a position from all servers', async () => {
      const { storage, other } = getStorage();
      await storage.commit([createRunWrite({ events: [createRunEvent(1)] })]);
      const position = await waitUntil('the feed returns no more changes', async () => {
        const page = await storage.listChangesAfter(await storage.getFeedPosition(), 10);
        return page.changes.length === 0 ? page.position : undefined;
      });
      const run = createRunRecord();
      const event = createRunEvent(1, {
        type: 'run.started',
        stepId: nextId(),
        elementId: 'start',
        private: { actor: 'ada' },
      });
      await other.commit([createRunWrite({ run, events: [event] })]);

      // Earlier changes may be returned again, because changes become visible only after concurrent transactions have
      // ended.
      const changes = await waitUntil('the feed has returned the change', async () => {
        const page = await storage.listChangesAfter(position, 10);
        const runChanges = page.changes.filter(({ runId }) => runId === run.runId);
        return runChanges.length > 0 ? runChanges : undefined;
      });

      const { seq, at, type, stepId, elementId, data } = event;
      expect(parseChanges(changes)).to.eql([
        { runId: run.runId, workflowId: 'release', parentRunId: null, seq, at, type, stepId, elementId, data },
      ]);
    });

    it('should split one commit over several pages without losing or repeating changes', async () => {
      const { storage } = getStorage();
      const position = await storage.getFeedPosition();
      const writes = Array.from({ length: 3 }, () =>
        createRunWrite({ events: Array.from({ length: 5 }, (_, index) => createRunEvent(index + 1)) }),
      );
      await storage.commit(writes);

      for (const limit of [1, 4, 100]) {
        const changes = await followFeed(position, 15, limit);
        expect(changes).to.have.length(15);
        for (const { run } of writes)
          expect(changes.filter(({ runId }) => runId === run.runId).map(({ seq }) => seq)).to.eql([1, 2, 3, 4, 5]);
      }
    });

    it('should return the same changes in the same order on all servers', async () => {
      const { storage, other } = getStorage();
      const position = await storage.getFeedPosition();
      const runIds = new Set<string>();
      for (let round = 1; round <= 6; round += 1) {
        const writes = Array.from({ length: 3 }, () =>
          createRunWrite({
            events: [1, 2].map((seq) =>
              createRunEvent(seq, { stepId: nextId(), data: { round, text: 'ü', list: [null] } }),
            ),
          }),
        );
        for (const { run } of writes) runIds.add(run.runId);
        await (round % 2 === 0 ? storage : other).commit(writes);
      }

      for (const limit of [1, 5, 36, 100]) {
        const [firstServerChanges, secondServerChanges] = await Promise.all(
          [storage, other].map((reader) => followFeed(position, 36, limit, reader)),
        );
        expect(parseChanges(firstServerChanges)).to.eql(parseChanges(secondServerChanges));
        expect(firstServerChanges?.map(({ dataText }) => (JSON.parse(dataText) as JsonObject)['round'])).to.eql(
          [1, 2, 3, 4, 5, 6].flatMap((round) => Array.from({ length: 6 }, () => round)),
        );
        expect(new Set(firstServerChanges?.map(({ runId }) => runId))).to.eql(runIds);
      }
    });

    it('should refuse an invalid position', async () => {
      const { storage } = getStorage();
      for (const position of ['', 'x', '1', `${'f'.repeat(15)}0.${nextId()}.00000001`]) {
        const errorCode = await storage.listChangesAfter(position, 1).then(
          () => undefined,
          (error: unknown) => (error as { code?: unknown }).code,
        );
        expect(errorCode, position).to.equal('invalid_cursor');
      }
    });
  });
}

/** Parses the data of changes: a database may return the same data in another notation. */
function parseChanges(changes: readonly Change[] = []): object[] {
  return changes.map(({ dataText, ...change }) => ({ ...change, data: JSON.parse(dataText) as JsonObject }));
}
