import type { Client, Workflow } from '@countersign/contract';
import { allPages } from '../api/all-pages.js';

/** More than anyone would choose from. */
const MAX_WORKFLOWS = 2_000;

/** Loads all workflows, for a selection. */
export function allWorkflows(client: Client, signal: AbortSignal): Promise<readonly Workflow[]> {
  return allPages((page) => client.listWorkflows(page, { signal }), MAX_WORKFLOWS);
}
