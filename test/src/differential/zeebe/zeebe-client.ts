import type { JsonObject } from '@countersign/core/plugin';

/** An answer of Zeebe that is none of success. */
export class ZeebeProblem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
  ) {
    super(`${status}: ${detail}`);
    this.name = 'ZeebeProblem';
  }
}

/** Zeebe's REST API (v2), as far as it is needed. Everything answers after the broker has processed the command. */
export class ZeebeClient {
  constructor(private readonly base: string) {}

  async isReady(): Promise<boolean> {
    try {
      const topology = JSON.stringify(await this.call('GET', '/topology'));
      return topology.includes('"leader"') || topology.includes('"LEADER"');
    } catch {
      return false;
    }
  }

  /** @returns the keys of the processes that were deployed. @throws {ZeebeProblem} where it is refused. */
  async deploy(name: string, xml: string): Promise<number[]> {
    const form = new FormData();
    form.append('resources', new Blob([xml]), name);
    const { deployments } = (await this.send('/deployments', { method: 'POST', body: form })) as {
      deployments: { processDefinition?: { processDefinitionKey: number } }[];
    };
    return deployments.flatMap(({ processDefinition }) => (processDefinition === undefined ? [] : [processDefinition.processDefinitionKey]));
  }

  async removeDefinition(key: number): Promise<void> {
    await this.call('POST', `/resources/${key}/deletion`, {});
  }

  async start(processDefinitionId: string, variables: JsonObject): Promise<void> {
    await this.call('POST', '/process-instances', { processDefinitionId, variables });
  }

  async cancel(instanceKey: number): Promise<void> {
    await this.call('POST', `/process-instances/${instanceKey}/cancellation`, {});
  }

  /** Activates all jobs of a type that nobody has. */
  async activateJobs(type: string): Promise<void> {
    await this.call('POST', '/jobs/activation', { type, worker: 'differential', timeout: 86_400_000, maxJobsToActivate: 100, requestTimeout: -1 });
  }

  async completeJob(key: number, variables: JsonObject): Promise<void> {
    await this.call('POST', `/jobs/${key}/completion`, { variables });
  }

  /** @param retryBackOff in ms */
  async failJob(key: number, retries: number, retryBackOff = 0): Promise<void> {
    await this.call('POST', `/jobs/${key}/failure`, { retries, retryBackOff, errorMessage: 'The case wants it.' });
  }

  async setRetries(key: number, retries: number): Promise<void> {
    await this.call('PATCH', `/jobs/${key}`, { changeset: { retries } });
  }

  async setVariables(elementInstanceKey: number, variables: JsonObject): Promise<void> {
    await this.call('PUT', `/element-instances/${elementInstanceKey}/variables`, { variables });
  }

  async resolveIncident(key: number): Promise<void> {
    await this.call('POST', `/incidents/${key}/resolution`, {});
  }

  /** @throws {ZeebeProblem} where the instance can not be moved */
  async migrate(instanceKey: number, targetProcessDefinitionKey: number, mapping: Readonly<Record<string, string>>): Promise<void> {
    const mappingInstructions = Object.entries(mapping).map(([sourceElementId, targetElementId]) => ({ sourceElementId, targetElementId }));
    await this.call('POST', `/process-instances/${instanceKey}/migration`, { targetProcessDefinitionKey, mappingInstructions });
  }

  async throwError(key: number, errorCode: string, variables: JsonObject): Promise<void> {
    await this.call('POST', `/jobs/${key}/error`, { errorCode, errorMessage: 'The case wants it.', variables });
  }

  async completeUserTask(key: number): Promise<void> {
    await this.call('POST', `/user-tasks/${key}/completion`, {});
  }

  /** It is not kept for those who come later. */
  async publish(name: string, correlationKey: string, variables: JsonObject): Promise<void> {
    await this.call('POST', '/messages/publication', { name, correlationKey, timeToLive: 0, variables });
  }

  async broadcast(signalName: string, variables: JsonObject): Promise<void> {
    await this.call('POST', '/signals/broadcast', { signalName, variables });
  }

  /** Sets the clock (milliseconds since the epoch), which then stands still. */
  async pinClock(timestamp: number): Promise<void> {
    await this.call('PUT', '/clock', { timestamp });
  }

  private call(method: string, path: string, body?: object): Promise<unknown> {
    const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return this.send(path, { method, ...content });
  }

  private async send(path: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${this.base}${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new ZeebeProblem(response.status, detailOf(text));
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}

function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail : text;
  } catch {
    return text;
  }
}
