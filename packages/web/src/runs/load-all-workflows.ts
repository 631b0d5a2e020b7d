import type { Client, Workflow } from '@countersign/contract';
import { loadAllPages } from '../api/load-all-pages.js';

/** Maximum number of workflows to load: more than a user would choose from. */
const MAX_WORKFLOWS = 2_000;

/** Loads all workflows, for a selection list. */
export function loadAllWorkflows(client: Client, signal: AbortSignal): Promise<readonly Workflow[]> {
  return loadAllPages((page) => client.listWorkflows(page, { signal }), MAX_WORKFLOWS);
}
