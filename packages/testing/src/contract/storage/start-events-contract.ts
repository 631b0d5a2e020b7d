import type { StartEvents, StartTimer } from '@countersign/core/plugin';
import { expect } from 'chai';
import type { Subject } from '../storage-contract.js';
import { auditEntry, deploy, present, workflowVersion } from '../storage-fixtures.js';

export function describeStartEvents(current: Subject): void {
  describe('start events', () => {
    const ordered: StartEvents['subscriptions'][number] = { kind: 'message', name: 'ordered', elementId: 'on-order', trigger: 0 };
    const halted: StartEvents['subscriptions'][number] = { kind: 'signal', name: 'halt', elementId: 'on-halt', trigger: 1 };
    const timer = (dueAt: number, more: Partial<StartTimer> = {}): StartTimer => ({ elementId: 'daily', trigger: 0, dueAt, cycle: null, ...more });

    it('should be those of the newest version of each workflow', async () => {
      const { storage, other } = current();
      await deploy(storage, { workflowId: 'b' }, { subscriptions: [ordered, halted] });
      await deploy(storage, { workflowId: 'a' }, { subscriptions: [{ ...ordered, elementId: 'begin' }] });

      expect(await other.findStartSubscriptions('message', 'ordered')).to.eql([
        { ...ordered, elementId: 'begin', workflowId: 'a', version: 1 },
        { ...ordered, workflowId: 'b', version: 1 },
      ]);
      expect(await other.findStartSubscriptions('signal', 'ordered')).to.eql([]);
      expect(await other.findStartSubscriptions('signal', 'h\0')).to.eql([]);

      await deploy(other, { workflowId: 'b', digest: 'sha256:second' }, { subscriptions: [halted] });
      await deploy(other, { workflowId: 'b' }, { subscriptions: [ordered] });
      expect((await storage.findStartSubscriptions('message', 'ordered')).map(({ workflowId }) => workflowId)).to.eql(['a']);
      expect(await storage.findStartSubscriptions('signal', 'halt')).to.eql([{ ...halted, workflowId: 'b', version: 2 }]);
    });

    it('should tell which timers are due, and when the next one is', async () => {
      const { storage } = current();
      expect(await storage.nextStartTimerAt()).to.equal(null);
      const [late, early] = [timer(2_000_123), timer(1_000_000, { elementId: 'once', trigger: 1, cycle: { text: 'R3/PT1H', left: 2 } })];
      await deploy(storage, {}, { timers: [late, early] });

      expect(await storage.nextStartTimerAt()).to.equal(1_000_000);
      expect(await storage.dueStartTimers(999_999, 5)).to.eql([]);
      const of = { workflowId: 'release', version: 1 };
      expect(await storage.dueStartTimers(2_000_123, 5)).to.eql([{ ...early, ...of }, { ...late, ...of }]);
      expect(await storage.dueStartTimers(2_000_123, 1)).to.have.length(1);
    });

    it('should be moved on once, from where it stood, and be taken away in the end', async () => {
      const { storage, other } = current();
      await deploy(storage, {}, { timers: [timer(1_000, { cycle: { text: 'R2/PT1S', left: 1 } })] });
      const fired = present((await storage.dueStartTimers(1_000, 5))[0]);
      const next = { dueAt: 2_000, cycle: { text: 'R2/PT1S', left: 0 } };

      await Promise.all([storage.advanceStartTimer(fired, next), other.advanceStartTimer(fired, next)]);
      await other.advanceStartTimer(fired, null);

      const [moved] = await storage.dueStartTimers(9_000, 5);
      expect(moved).to.eql({ ...fired, ...next });
      await storage.advanceStartTimer(present(moved), null);
      expect(await storage.dueStartTimers(9_000, 5)).to.eql([]);
    });

    it('should not be moved on where a newer version has taken its place', async () => {
      const { storage } = current();
      await deploy(storage, {}, { timers: [timer(1_000)] });
      const fired = present((await storage.dueStartTimers(1_000, 5))[0]);
      await deploy(storage, { digest: 'sha256:second' }, { timers: [timer(1_000)] });

      await storage.advanceStartTimer(fired, null);

      expect(await storage.dueStartTimers(1_000, 5)).to.eql([{ ...fired, version: 2 }]);
    });

    it('should be stored with all workflows of a file, or not at all', async () => {
      const { storage, other } = current();
      const deployment = (workflowId: string, digest: string, starts: Partial<StartEvents> = {}) => ({
        version: workflowVersion({ workflowId, digest }),
        audit: auditEntry({ action: 'workflow.deploy', target: { type: 'workflow', id: workflowId } }),
        starts: { subscriptions: [], timers: [], ...starts },
      });
      const crosswise = [
        [deployment('a', 'x'), deployment('b', 'x')],
        [deployment('b', 'y'), deployment('a', 'y')],
      ];
      const saved = await Promise.all(crosswise.map((deployments, index) => (index === 0 ? storage : other).saveWorkflowVersions(deployments)));
      expect(saved.flat().map(({ created, version }) => [version.workflowId, created])).to.eql([['a', true], ['b', true], ['b', true], ['a', true]]);

      const failing = [deployment('c', 'x', { subscriptions: [ordered] }), deployment('d', 'x', { subscriptions: [ordered, { ...ordered, elementId: 'twice' }] })];
      const failure = await storage.saveWorkflowVersions(failing).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      expect(await storage.findWorkflowVersion('c')).to.equal(undefined);
      expect(await storage.findStartSubscriptions('message', 'ordered')).to.eql([]);
    });
  });
}
