import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@countersign/contract';
import type { ServerProcess } from '../http/server-process.js';
import { multiplyRuns, vacuum } from '../postgres/multiply-runs.js';
import {
  buildLargeEvidence,
  LARGE_INPUTS,
  largeModel,
  pendingModel,
  urgentAfterJobModel,
  urgentModel,
} from './desktop-models.js';

export const PENDING_COUNT = 5_000;
/** Number of approvals with large decision views, listed before all others. */
export const LARGE_COUNT = 30;
const REAL_RUNS = 100;

export interface DesktopData {
  createPending(): Promise<void>;
  createLarge(): Promise<void>;
}

/** Deploys the workflows and returns functions that create the approvals of the inbox. */
export async function prepareServer(server: ServerProcess, client: Client, database: string): Promise<DesktopData> {
  const admin = await server.mintToken('ada', 'admin');
  for (const xml of [urgentModel, urgentAfterJobModel, pendingModel, largeModel]) {
    const response = await fetch(`${server.url}/api/workflows`, {
      method: 'POST',
      body: xml,
      headers: { 'authorization': `Bearer ${admin}`, 'content-type': 'application/xml' },
    });
    if (!response.ok) throw new Error(await response.text());
  }
  return {
    createPending: async () => {
      await Promise.all(Array.from({ length: REAL_RUNS }, () => client.startRun({ body: { workflowId: 'pending' } })));
      await multiplyRuns(database, PENDING_COUNT / REAL_RUNS, 'pending');
      await vacuum(database);
    },
    createLarge: async () => {
      for (let index = 0; index < LARGE_COUNT; index += 1) {
        const { runId } = await client.startRun({ body: { workflowId: 'large', inputs: LARGE_INPUTS } });
        await client.uploadArtifact({
          runId,
          artifactName: 'notes.md',
          body: new TextEncoder().encode(buildLargeEvidence(index)),
          contentType: 'text/markdown',
        });
      }
      for (let tries = 0; tries < 300; tries += 1) {
        const { items } = await client.listApprovals({
          workflowId: 'large',
          status: 'pending',
          limit: 200,
        } as Parameters<Client['listApprovals']>[0]);
        if (items.length >= LARGE_COUNT) return;
        await delay(100);
      }
      throw new Error('The runs with large decision views did not reach their approvals in time.');
    },
  };
}
