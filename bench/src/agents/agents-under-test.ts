import { agentToolsPlugin } from '@countersign/agent-tools';
import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import { createHost, EnginePort, StoragePort } from '@countersign/core';
import type { Actor } from '@countersign/model';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchLog } from '../workload/bench-log.js';
import { RunWatch } from '../workload/run-watch.js';
import { buildAgentWorkflow } from './agent-workflow.js';

const ACTOR: Actor = { type: 'user', id: 'bench', name: 'bench', groups: [] };
const CONTEXT = { actor: ACTOR, from: '127.0.0.1', traceId: 'bench' };

/** Host in this process, set up like that of the `countersign` command, with an agent for each language model. */
export interface AgentsUnderTest {
  /** Starts a run in which the agent of the language model performs a step, and waits until the run is completed. */
  complete(model: string): Promise<void>;
  close(): Promise<void>;
}

export async function openAgents(
  connectionString: string,
  baseUrl: string,
  models: readonly string[],
): Promise<AgentsUnderTest> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-agents-'));
  const agentsDirectory = join(directory, 'agents');
  await mkdir(agentsDirectory);
  for (const model of models)
    await writeFile(join(agentsDirectory, `${agentName(model)}.yaml`), agentDefinition(model));
  const host = createHost({
    plugins: [
      storagePostgresPlugin,
      artifactsFilesystemPlugin,
      policyCedarPlugin,
      agentToolsPlugin,
      modelOpenaiPlugin,
      engineEmbeddedPlugin,
    ],
    configuration: {
      defaults: {
        Data: { Directory: join(directory, 'data') },
        Storage: { Postgres: { ConnectionString: connectionString } },
        Agents: { Directory: agentsDirectory },
        Models: { OpenAI: { BaseUrl: baseUrl } },
      },
    },
    logger: benchLog,
  });
  const watch = new RunWatch(host.get(StoragePort));
  const engine = host.get(EnginePort);
  await host.start();
  for (const model of models) await engine.deploy({ bpmnXml: buildAgentWorkflow(agentName(model)), context: CONTEXT });
  return {
    complete: async (model) => {
      const { response } = await engine.startRun({
        workflowId: agentName(model),
        inputs: { subject: 'something', number: 7 },
        businessKey: null,
        context: CONTEXT,
        respond: ({ run }) => ({ runId: run.runId }),
      });
      const outcome = await watch.waitForEnd(String(response['runId']));
      if (outcome !== 'completed') throw new Error(`Run ${String(response['runId'])} ended as "${outcome}".`);
    },
    close: async () => {
      await host.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function agentName(model: string): string {
  return `agent-${model}`;
}

function agentDefinition(model: string): string {
  return `name: ${agentName(model)}
system: You do one step of a workflow.
model: { provider: openai, name: ${model} }
tools: [run.inputs]
budget: { turns: 100, toolCalls: 1000, tokens: null }
`;
}
