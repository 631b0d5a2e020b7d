import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '@countersign/model';
import type { DmnDecisionVersionRecord } from '../ports/dmn-decisions.js';
import { EnginePort } from '../ports/engine.js';
import type { PageRequest } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { buildRequestContext, type Caller } from './caller.js';
import { requireCapability } from './require-capability.js';
import type { PageView } from './run-queries.js';
import {
  toDmnDecisionView,
  toDeployedDecisionsView,
  type DmnDecisionDetailView,
  type DmnDecisionView,
  type DeployedDecisionsView,
} from './views/dmn-decision-view.js';

/** Deploys and lists DMN decisions. */
@injectable()
export class DmnDecisions {
  /** Cached version lists, by newest version. Versions are never changed or removed. */
  private readonly versionsCache = new LRUCache<string, readonly DmnDecisionVersionRecord[]>({ max: 1_000 });

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /**
   * Deploys all DMN decisions of a file. `created` states whether the deployment created new versions.
   *
   * @throws {ModelRefusedError} if one of them cannot be evaluated faithfully; in this case, nothing is stored
   */
  async deploy(dmnXml: string, caller: Caller): Promise<{ deployed: DeployedDecisionsView; created: boolean }> {
    requireCapability(this.engine, 'dmn_decisions');
    const deployed = await this.engine.deployDecisions({
      dmnXml,
      context: buildRequestContext(caller, 'deployDecisions', dmnXml),
    });
    return { deployed: toDeployedDecisionsView(deployed), created: deployed.created };
  }

  async list(page: PageRequest): Promise<PageView<DmnDecisionView>> {
    const { items, nextCursor } = await this.storage.listDecisions(page);
    const views = items.map(async (newest) => toDmnDecisionView(newest, await this.listVersionsUpTo(newest)));
    return { items: await Promise.all(views), nextCursor };
  }

  /** @throws {ApiError} `decision_not_found`, `decision_version_not_found` */
  async get(decisionId: string, version?: number): Promise<DmnDecisionDetailView> {
    const newest = await this.storage.findDecisionVersion(decisionId);
    if (newest === undefined) throw new ApiError('decision_not_found', `There is no DMN decision "${decisionId}".`);
    const requested =
      version === undefined || version === newest.version
        ? newest
        : await this.storage.findDecisionVersion(decisionId, version);
    if (requested === undefined) {
      throw new ApiError(
        'decision_version_not_found',
        `DMN decision "${decisionId}" has no version ${version}; the newest is ${newest.version}.`,
      );
    }
    return { ...toDmnDecisionView(requested, await this.listVersionsUpTo(newest)), dmnXml: requested.dmnXml };
  }

  private async listVersionsUpTo(newest: DmnDecisionVersionRecord): Promise<readonly DmnDecisionVersionRecord[]> {
    const key = `${newest.version}@${newest.decisionId}`;
    const cached = this.versionsCache.get(key);
    if (cached !== undefined) return cached;
    const all = await this.storage.listDecisionVersions(newest.decisionId);
    const visible = all.filter((each) => each.version <= newest.version);
    this.versionsCache.set(key, visible);
    return visible;
  }
}
