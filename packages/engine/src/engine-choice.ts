import { LRUCache } from 'lru-cache';
import { EMBEDDED_ENGINE, MAX_SERVER_AGE_MS, type StoragePort } from '@countersign/core/ports';
import { SharedLoads } from './caches/shared-loads.js';

/** Age from which the servers are counted again, in ms. */
const MAX_COUNT_AGE_MS = 1_000;

/** The engine of a new run. */
export interface ChosenEngine {
  readonly engine: string;
  /** The engine to which the workflow was moved, as this process knows it. The commit checks it. */
  readonly engineOfWorkflow: string | null;
}

/**
 * Chooses the engines of new runs: the engine to which the workflow was moved; otherwise that of the parent run; otherwise
 * the embedded engine, if a server has it; otherwise that of this server. So a server with an external engine can be
 * added without moving a workflow.
 */
export class EngineChoice {
  /** `engine`: the engine to which a workflow was moved, or `null`. */
  private readonly moves = new LRUCache<string, { readonly engine: string | null }>({ max: 10_000 });
  private readonly loads = new SharedLoads<string | null>();
  /** Whether a running server has an engine. */
  private readonly availability: LRUCache<string, boolean>;

  constructor(
    private readonly storage: Pick<StoragePort, 'findEngineOfWorkflow' | 'countServers'>,
    private readonly getOwnEngine: () => string,
  ) {
    this.availability = new LRUCache({
      max: 1,
      ttl: MAX_COUNT_AGE_MS,
      fetchMethod: async (name: string) =>
        (await storage.countServers(MAX_SERVER_AGE_MS)).some(({ engine }) => engine === name),
    });
  }

  /** @param findParentEngine finds the engine of the parent run; `undefined` if the run has none */
  async choose(workflowId: string, findParentEngine?: () => Promise<string | undefined>): Promise<ChosenEngine> {
    const engineOfWorkflow = await this.guessEngineOfWorkflow(workflowId);
    const engine = engineOfWorkflow ?? (await findParentEngine?.()) ?? (await this.findDefaultEngine());
    return { engine, engineOfWorkflow };
  }

  /** Forgets the engine of a workflow, because another server may have moved it. */
  forget(workflowId: string): void {
    this.moves.delete(workflowId);
    this.loads.forget(workflowId);
  }

  /** Returns whether a workflow was moved since a start that relied on its engine, which was forgotten. */
  async wasMoved(workflowId: string, engineOfWorkflow: string | null): Promise<boolean> {
    return (await this.guessEngineOfWorkflow(workflowId)) !== engineOfWorkflow;
  }

  private async guessEngineOfWorkflow(workflowId: string): Promise<string | null> {
    const known = this.moves.get(workflowId);
    if (known !== undefined) return known.engine;
    return this.loads.share(
      workflowId,
      () => this.storage.findEngineOfWorkflow(workflowId),
      (engine) => this.moves.set(workflowId, { engine }),
    );
  }

  private async findDefaultEngine(): Promise<string> {
    const ownEngine = this.getOwnEngine();
    if (ownEngine === EMBEDDED_ENGINE) return ownEngine;
    return (await this.availability.fetch(EMBEDDED_ENGINE)) === true ? EMBEDDED_ENGINE : ownEngine;
  }
}
