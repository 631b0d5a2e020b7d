import type { CommandCause, StartEvents, StartTimer, StoragePort } from '@countersign/core/ports';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  createAuditEntry,
  deploy,
  requireValue,
  createRunRecord,
  createRunWrite,
  createWorkflowVersion,
} from '../storage-fixtures.js';

export function describeStartEvents(getStorage: StorageGetter): void {
  describe('start events', () => {
    const messageStart: StartEvents['subscriptions'][number] = {
      kind: 'message',
      name: 'ordered',
      elementId: 'on-order',
      trigger: 0,
    };
    const signalStart: StartEvents['subscriptions'][number] = {
      kind: 'signal',
      name: 'halt',
      elementId: 'on-halt',
      trigger: 1,
    };
    const createTimer = (dueAt: number, overrides: Partial<StartTimer> = {}): StartTimer => ({
      elementId: 'daily',
      trigger: 0,
      dueAt,
      cycle: null,
      ...overrides,
    });

    it('should be returned only for the newest version of each workflow', async () => {
      const { storage, other } = getStorage();
      await deploy(storage, { workflowId: 'b' }, { subscriptions: [messageStart, signalStart] });
      await deploy(storage, { workflowId: 'a' }, { subscriptions: [{ ...messageStart, elementId: 'begin' }] });

      expect(await other.findStartSubscriptions('message', 'ordered')).to.eql([
        { ...messageStart, elementId: 'begin', workflowId: 'a', version: 1 },
        { ...messageStart, workflowId: 'b', version: 1 },
      ]);
      expect(await other.findStartSubscriptions('signal', 'ordered')).to.eql([]);
      expect(await other.findStartSubscriptions('signal', 'h\0')).to.eql([]);

      await deploy(other, { workflowId: 'b', digest: 'sha256:second' }, { subscriptions: [signalStart] });
      await deploy(other, { workflowId: 'b' }, { subscriptions: [messageStart] });
      expect((await storage.findStartSubscriptions('message', 'ordered')).map(({ workflowId }) => workflowId)).to.eql([
        'a',
      ]);
      expect(await storage.findStartSubscriptions('signal', 'halt')).to.eql([
        { ...signalStart, workflowId: 'b', version: 2 },
      ]);
    });

    it('should include start conditions, which can be listed for all workflows or for one', async () => {
      const { storage, other } = getStorage();
      const createCondition = (elementId: string, trigger = 0) => ({ elementId, trigger });
      const manyConditions = Array.from({ length: 12 }, (_each, index) => createCondition(`start-${index}`));
      await deploy(storage, { workflowId: 'b' }, { conditions: manyConditions, subscriptions: [messageStart] });
      await deploy(storage, { workflowId: 'a' }, { conditions: [createCondition('one'), createCondition('one', 1)] });
      await deploy(storage, { workflowId: 'c' }, { subscriptions: [signalStart] });

      const conditionsOfA = [createCondition('one'), createCondition('one', 1)].map((each) => ({
        ...each,
        workflowId: 'a',
        version: 1,
      }));
      expect(await other.findStartConditions(100)).to.eql([
        ...conditionsOfA,
        ...manyConditions.map((each) => ({ ...each, workflowId: 'b', version: 1 })),
      ]);
      expect(await other.findStartConditions(1)).to.eql(conditionsOfA.slice(0, 1));
      expect(await other.findStartConditions(100, 'a')).to.eql(conditionsOfA);
      for (const unknownWorkflowId of ['c', 'unknown', '\0'])
        expect(await other.findStartConditions(100, unknownWorkflowId)).to.eql([]);

      await deploy(other, { workflowId: 'b', digest: 'sha256:second' }, { subscriptions: [messageStart] });
      expect(await storage.findStartConditions(100)).to.eql(conditionsOfA);
    });

    it('should return the due timers and the next due time', async () => {
      const { storage } = getStorage();
      expect(await storage.nextStartTimerAt()).to.equal(null);
      const [laterTimer, earlierTimer] = [
        createTimer(2_000_123),
        createTimer(1_000_000, { elementId: 'once', trigger: 1, cycle: { text: 'R3/PT1H', left: 2 } }),
      ];
      await deploy(storage, {}, { timers: [laterTimer, earlierTimer] });

      expect(await storage.nextStartTimerAt()).to.equal(1_000_000);
      expect(await storage.nextStartTimerAt(1_000_000)).to.equal(2_000_123);
      expect(await storage.nextStartTimerAt(2_000_123)).to.equal(null);
      expect(await storage.listDueStartTimers(999_999, 5)).to.eql([]);
      const expectedFields = { workflowId: 'release', version: 1, fired: false };
      expect(await storage.listDueStartTimers(2_000_123, 5)).to.eql([
        { ...earlierTimer, ...expectedFields },
        { ...laterTimer, ...expectedFields },
      ]);
      expect(await storage.listDueStartTimers(2_000_123, 1)).to.have.length(1);
    });

    it('should advance a timer only once per due time, and remove a timer that ends', async () => {
      const { storage, other } = getStorage();
      await deploy(storage, {}, { timers: [createTimer(1_000, { cycle: { text: 'R2/PT1S', left: 1 } })] });
      const fired = requireValue((await storage.listDueStartTimers(1_000, 5))[0]);
      const next = { dueAt: 2_000, cycle: { text: 'R2/PT1S', left: 0 } };

      await Promise.all([storage.advanceStartTimer(fired, next), other.advanceStartTimer(fired, next)]);
      await other.advanceStartTimer(fired, null);

      const [advancedTimer] = await storage.listDueStartTimers(9_000, 5);
      expect(advancedTimer).to.eql({ ...fired, ...next });
      await storage.advanceStartTimer(requireValue(advancedTimer), null);
      expect(await storage.listDueStartTimers(9_000, 5)).to.eql([]);
      expect(await storage.nextStartTimerAt()).to.equal(null);
    });

    const findDueTimer = async (storage: StoragePort, now = 9_000) =>
      requireValue((await storage.listDueStartTimers(now, 5))[0]);
    const createStart = (cause: CommandCause) => createRunWrite({ run: createRunRecord(), cause });

    it('should advance a timer in the commit that starts the run, and start only one run per due time', async () => {
      const { storage, other } = getStorage();
      await deploy(storage, {}, { timers: [createTimer(1_000, { cycle: { text: 'R2/PT1S', left: 1 } })] });
      const next = { dueAt: 2_000, cycle: { text: 'R2/PT1S', left: 0 } };
      const cause: CommandCause = { from: 'startTimer', timer: await findDueTimer(storage), next };
      const startWrites = [1, 2, 3].map(() => createStart(cause));

      const results = await Promise.all([
        storage.commit([requireValue(startWrites[0]), createRunWrite(), requireValue(startWrites[1])]),
        other.commit([createRunWrite(), requireValue(startWrites[2])]),
      ]);

      expect([results[0][1], results[1][0]]).to.eql(['committed', 'committed']);
      const outcomes = [results[0][0], results[0][2], results[1][1]];
      expect(outcomes.toSorted()).to.eql(['committed', 'fenced', 'fenced']);
      const found = await Promise.all(startWrites.map(({ run }) => storage.findRun(run.runId)));
      expect(found.map((each) => each !== undefined)).to.eql(outcomes.map((outcome) => outcome === 'committed'));
      expect(await findDueTimer(storage)).to.eql({ ...cause.timer, ...next });
      expect(await storage.commit([createStart(cause)])).to.eql(['fenced']);

      expect(
        await other.commit([createStart({ from: 'startTimer', timer: await findDueTimer(storage), next: null })]),
      ).to.eql(['committed']);
      expect([await storage.listDueStartTimers(9_000, 5), await storage.nextStartTimerAt()]).to.eql([[], null]);
    });

    it('should keep the timer unchanged when the run is not committed', async () => {
      const { storage } = getStorage();
      await deploy(storage, {}, { timers: [createTimer(1_000)] });
      const fired = await findDueTimer(storage);

      expect(
        await storage.commit([
          { ...createStart({ from: 'startTimer', timer: fired, next: null }), expectedRevision: 7 },
        ]),
      ).to.eql(['conflict']);

      expect(await findDueTimer(storage)).to.eql(fired);
    });

    it('should not start a run for a replaced timer, and should mark a due time that has already started a run', async () => {
      const { storage, other } = getStorage();
      await deploy(storage, {}, { timers: [createTimer(1_000)] });
      const first = await findDueTimer(storage);
      await deploy(other, { digest: 'sha256:second' }, { timers: [createTimer(1_000)] });
      expect(await storage.commit([createStart({ from: 'startTimer', timer: first, next: null })])).to.eql(['fenced']);
      expect(
        await storage.commit([createStart({ from: 'startTimer', timer: await findDueTimer(other), next: null })]),
      ).to.eql(['committed']);

      await deploy(storage, { digest: 'sha256:without' }, {});
      expect(await storage.listDueStartTimers(9_000, 5)).to.eql([]);
      await deploy(storage, { digest: 'sha256:other' }, { timers: [createTimer(2_000)] });
      const second = await findDueTimer(other);
      expect(second).to.eql({ ...first, version: 4, dueAt: 2_000 });
      expect(await storage.commit([createStart({ from: 'startTimer', timer: second, next: null })])).to.eql([
        'committed',
      ]);
      await deploy(
        storage,
        { digest: 'sha256:again' },
        { timers: [createTimer(1_000), createTimer(2_000, { elementId: 'once' })] },
      );

      expect(await storage.listDueStartTimers(9_000, 5)).to.eql([
        { ...first, version: 5, fired: true },
        { ...second, version: 5, elementId: 'once' },
      ]);
    });

    it('should not advance a timer that a newer version replaced', async () => {
      const { storage } = getStorage();
      await deploy(storage, {}, { timers: [createTimer(1_000)] });
      const fired = requireValue((await storage.listDueStartTimers(1_000, 5))[0]);
      await deploy(storage, { digest: 'sha256:second' }, { timers: [createTimer(1_000)] });

      await storage.advanceStartTimer(fired, null);

      expect(await storage.listDueStartTimers(1_000, 5)).to.eql([{ ...fired, version: 2 }]);
    });

    it('should be stored for all workflows of a file or for none', async () => {
      const { storage, other } = getStorage();
      const createDeployment = (workflowId: string, digest: string, starts: Partial<StartEvents> = {}) => ({
        version: createWorkflowVersion({ workflowId, digest }),
        audit: createAuditEntry({ action: 'workflow.deploy', target: { type: 'workflow', id: workflowId } }),
        starts: { subscriptions: [], conditions: [], timers: [], ...starts },
      });
      const crossedDeployments = [
        [createDeployment('a', 'x'), createDeployment('b', 'x')],
        [createDeployment('b', 'y'), createDeployment('a', 'y')],
      ];
      const saved = await Promise.all(
        crossedDeployments.map((deployments, index) =>
          (index === 0 ? storage : other).saveWorkflowVersions(deployments),
        ),
      );
      expect(saved.flat().map(({ created, version }) => [version.workflowId, created])).to.eql([
        ['a', true],
        ['b', true],
        ['b', true],
        ['a', true],
      ]);

      const invalidDeployments = [
        createDeployment('c', 'x', { subscriptions: [messageStart] }),
        createDeployment('d', 'x', { subscriptions: [messageStart, { ...messageStart, elementId: 'twice' }] }),
      ];
      const failure = await storage.saveWorkflowVersions(invalidDeployments).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      expect(await storage.findWorkflowVersion('c')).to.equal(undefined);
      expect(await storage.findStartSubscriptions('message', 'ordered')).to.eql([]);
    });
  });
}
