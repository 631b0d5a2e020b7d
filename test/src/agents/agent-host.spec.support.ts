import type { Client, Run, RunDetail } from '@countersign/contract';
import type { JsonObject, Plugin } from '@countersign/core';
import { definePlugin, type ToolCall, ToolContribution, type ToolOutput } from '@countersign/core/plugin';
import { modelScriptedPlugin } from '@countersign/model-scripted';
import { createTestHost, processModel, type TestEngine, type TestHost, waitUntil } from '@countersign/testing';
import { injectable } from 'inversify';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

export const NOTE_TOOLS = ['human.ask', 'notes.read', 'notes.write', 'notes.find'];

/** Records the calls of the note tools and returns the result that the test sets. */
export class RecordedNotes {
  readonly calls: {
    readonly tool: string;
    readonly input: JsonObject;
    readonly key: string;
    readonly aborted: () => boolean;
  }[] = [];
  /** Returns the result of a call, after the call is recorded. */
  onCall: (tool: string, input: JsonObject, call: ToolCall) => Promise<ToolOutput> = (tool) =>
    Promise.resolve({ content: { did: tool } });

  execute(tool: string, input: JsonObject, call: ToolCall): Promise<ToolOutput> {
    this.calls.push({ tool, input, key: call.idempotencyKey, aborted: () => call.signal.aborted });
    return this.onCall(tool, input, call);
  }

  callsTo(tool: string) {
    return this.calls.filter((call) => call.tool === tool);
  }
}

/** `notes.read` reads; after an unknown outcome, `notes.write` is parked and `notes.find` can be repeated. */
export function notesPlugin(notes: RecordedNotes): Plugin {
  const createToolClass = (name: string, effect: 'read' | 'write', unknownOutcome: 'repeat' | 'park') => {
    class NotesTool implements ToolContribution {
      readonly name = name;
      readonly description = `Does ${name}.`;
      readonly input = z.strictObject({ note: z.string().min(1), copies: z.int().default(1) });
      readonly output = z.json();
      readonly effect = effect;
      readonly reversible = false;
      readonly unknownOutcome = unknownOutcome;

      call(input: JsonObject, call: ToolCall): Promise<ToolOutput> {
        return notes.execute(name, input, call);
      }
    }
    injectable()(NotesTool);
    return NotesTool;
  };
  return definePlugin({
    id: 'notes',
    register({ contribute }) {
      contribute(ToolContribution, createToolClass('notes.read', 'read', 'repeat'));
      contribute(ToolContribution, createToolClass('notes.find', 'read', 'park'));
      contribute(ToolContribution, createToolClass('notes.write', 'write', 'park'));
    },
  });
}

export interface AgentHost extends TestHost {
  readonly notes: RecordedNotes;
  readonly operator: Client;
  readonly approver: Client;
  /** Another approver, for subjects that the first approver has edited. */
  readonly secondApprover: Client;
  /** Deploys a workflow with one agent step, and starts a run of it. */
  start(options: AgentStep): Promise<Run>;
}

export interface AgentStep {
  readonly workflowId: string;
  readonly headers: Readonly<Record<string, string>>;
  /** FEEL expressions by input name. */
  readonly mappings?: Readonly<Record<string, string>>;
  readonly inputs?: JsonObject;
}

export interface AgentHostOptions {
  /** Definitions and scripts by agent name; a script belongs to the language model of the same name. */
  readonly agents: Readonly<Record<string, { readonly definition?: object; readonly script: object }>>;
  readonly notes?: RecordedNotes;
  readonly plugins?: readonly Plugin[];
  readonly configuration?: JsonObject;
  readonly engine?: TestEngine;
  readonly shareDataWith?: AgentHost;
}

/** Starts a server with agents on scripted language models. */
export async function startAgentHost({
  agents,
  notes = new RecordedNotes(),
  plugins = [],
  configuration = {},
  engine,
  shareDataWith,
}: AgentHostOptions): Promise<AgentHost> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-agents-'));
  await mkdir(join(directory, 'agents'));
  await mkdir(join(directory, 'models'));
  for (const [name, { definition, script }] of Object.entries(agents)) {
    const file = {
      name,
      model: { provider: 'scripted', name, timeout: 'PT20S' },
      system: `You are ${name}.`,
      tools: NOTE_TOOLS,
      ...definition,
    };
    await writeFile(join(directory, 'agents', `${name}.yaml`), JSON.stringify(file));
    await writeFile(join(directory, 'models', `${name}.yaml`), JSON.stringify(script));
  }
  const host = await createTestHost({
    plugins: [...plugins, modelScriptedPlugin, notesPlugin(notes)],
    configuration: {
      ...configuration,
      Agents: { ...(configuration['Agents'] as JsonObject | undefined), Directory: join(directory, 'agents') },
      Models: {
        ...(configuration['Models'] as JsonObject | undefined),
        Scripted: { Directory: join(directory, 'models') },
      },
    },
    ...(engine === undefined ? {} : { engine }),
    ...(shareDataWith === undefined ? {} : { shareDataWith }),
  });
  const operator = await host.client('operator', 'olga');
  return {
    ...host,
    notes,
    operator,
    approver: await host.client('approver', 'anna'),
    secondApprover: await host.client('approver', 'bea'),
    start: async ({ workflowId, headers, mappings = {}, inputs = {} }) => {
      await host.deploy(agentModel(workflowId, headers, mappings));
      return operator.startRun({ body: { workflowId, inputs } });
    },
    close: async () => {
      await host.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function agentModel(
  workflowId: string,
  headers: AgentStep['headers'],
  mappings: Readonly<Record<string, string>>,
): string {
  const inputs = Object.entries(mappings).map(
    ([target, source]) => `<zeebe:input source="${escaped(source)}" target="${target}" />`,
  );
  const headerElements = Object.entries(headers).map(
    ([key, value]) => `<zeebe:header key="${key}" value="${escaped(value)}" />`,
  );
  const task = `<bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="agent" retries="3" /><zeebe:ioMapping>${inputs.join('')}</zeebe:ioMapping><zeebe:taskHeaders>${headerElements.join('')}</zeebe:taskHeaders></bpmn:extensionElements></bpmn:serviceTask>`;
  return processModel(
    workflowId,
    `<bpmn:startEvent id="start" />${task}<bpmn:endEvent id="end" />`,
    'start > work',
    'work > end',
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Waits until the run is no longer active: it waits, has failed or has ended. */
export function waitUntilSettled(client: Client, runId: string): Promise<RunDetail> {
  return waitUntil(`run ${runId} settles`, async () => {
    const run = await client.getRun({ runId });
    return run.status !== 'active' && run;
  });
}

/** Returns all turns of the agent in the step `work`. */
export async function getAgentWork(client: Client, run: RunDetail) {
  const step = run.steps.find(({ elementId }) => elementId === 'work');
  return client.getAgentWork({ runId: run.runId, stepId: step?.stepId ?? '', limit: 200 });
}

export function findAgentStep(run: RunDetail) {
  return run.steps.find(({ elementId }) => elementId === 'work');
}

export function requirePendingId(run: RunDetail, kind: 'approval' | 'question'): string {
  const [wait] = run.waitingFor.filter((each) => each.kind === kind);
  if (wait?.kind === 'approval') return wait.approvalId;
  if (wait?.kind === 'question') return wait.questionId;
  throw new Error(
    `Run ${run.runId} waits for no ${kind}: it is ${run.status}, ${JSON.stringify(run.waitingFor)} ${JSON.stringify(findAgentStep(run)?.error)}`,
  );
}
