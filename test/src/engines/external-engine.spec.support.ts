import { inject, injectable } from 'inversify';
import { definePlugin, type Plugin } from '@countersign/core/plugin';
import type { EngineStatus } from '@countersign/core/ports';
import {
  BackgroundLoop,
  CommandEngine,
  type CommitListener,
  ENGINE_DEPENDS_ON,
  EngineDependencies,
  listOpenWork,
  registerEngine,
  runJob,
  toCachedRun,
} from '@countersign/engine';

const POLL_MS = 50;

/**
 * An external engine in the process of the test: it hears of runs only by their announcements, and keeps jobs and
 * timers in memory, as a cluster would.
 */
@injectable()
class ExternalEngine extends CommandEngine {
  readonly name = 'external';
  private readonly startedWork = new Set<string>();
  private readonly pendingWork = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly stopping = new AbortController();
  private readonly loop: BackgroundLoop;

  constructor(@inject(EngineDependencies) dependencies: EngineDependencies) {
    super(dependencies);
    this.loop = new BackgroundLoop('announcements', dependencies.log, POLL_MS, () => this.acceptAnnouncements());
  }

  override async status(): Promise<EngineStatus> {
    const { instanceId, startedAt } = this;
    return { mode: 'temporal', version: '0', instanceId, startedAt, workers: [], external: true };
  }

  override async start(): Promise<void> {
    await this.startCommonWork();
    this.loop.start();
  }

  override async stop(): Promise<void> {
    await Promise.all([this.loop.stop(), this.stopCommonWork()]);
    for (const timer of this.timers) clearTimeout(timer);
    this.stopping.abort();
    await Promise.all(this.pendingWork);
    await this.queue.waitUntilIdle();
  }

  protected override reserveOwner(): null {
    return null;
  }

  /** Announces what this process has committed at once. */
  protected override handleCommitted(
    ...[{ run, announceAfterMs, next }]: Parameters<CommitListener['committed']>
  ): void {
    if (announceAfterMs !== null) this.track(this.accept(run.runId, next.revision));
  }

  protected override handleDiscarded(): void {}

  protected override handleDeployed(): void {}

  /** Accepts announcements that other servers could not make. */
  private async acceptAnnouncements(): Promise<number> {
    const { storage } = this.dependencies;
    for (const { runId, revision } of await storage.claimAnnouncements({
      engine: this.name,
      limit: 100,
      leaseMs: 1_000,
    }))
      await this.accept(runId, revision);
    return POLL_MS;
  }

  /** @param revision the announced revision, if the run was announced */
  private async accept(runId: string, revision?: number): Promise<void> {
    const { storage, clock } = this.dependencies;
    const stored = (await storage.loadRuns([runId])).get(runId);
    if (stored === undefined) return;
    const { jobs, timers } = listOpenWork(toCachedRun(stored).state);
    for (const { jobId, attempt, startsAt } of jobs)
      this.begin(`${jobId} ${attempt}`, (startsAt ?? 0) - clock.now(), () => this.runJob(runId, jobId, attempt));
    for (const { timerId, dueAt } of timers)
      this.begin(timerId, dueAt - clock.now(), async () => {
        await this.fireTimer({ runId, timerId });
        await this.accept(runId);
      });
    if (revision !== undefined) await storage.deleteAnnouncements([{ runId, revision }]);
  }

  /** Begins a piece of work once, after a delay. */
  private begin(key: string, delayMs: number, work: () => Promise<void>): void {
    if (this.startedWork.has(key)) return;
    this.startedWork.add(key);
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        this.track(work());
      },
      Math.max(0, delayMs),
    );
    this.timers.add(timer);
  }

  private async runJob(runId: string, jobId: string, attempt: number): Promise<void> {
    const { storage } = this.dependencies;
    const [job, runs] = await Promise.all([
      storage.takeJob(jobId, attempt, this.instanceId),
      storage.loadRuns([runId]),
    ]);
    const stored = runs.get(runId);
    if (job === undefined || stored === undefined) return;
    const { state } = toCachedRun(stored);
    const workflow = await this.workflows.get(state.workflowId, state.workflowVersion);
    await runJob(this.jobs, {
      job,
      state,
      workflow,
      signal: AbortSignal.any([this.stopping.signal]),
      currentClaim: () => job,
    });
    await this.accept(runId);
  }

  private track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.dependencies.log.error({ err: error }, 'the external engine failed'))
      .finally(() => this.pendingWork.delete(tracked));
    this.pendingWork.add(tracked);
  }
}

export const externalEnginePlugin: Plugin = definePlugin({
  id: 'engine-external',
  dependsOn: ENGINE_DEPENDS_ON,
  register: (registry) => registerEngine(registry, ExternalEngine),
});
