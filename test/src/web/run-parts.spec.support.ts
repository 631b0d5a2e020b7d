import type { Client, RunDetail } from '@countersign/contract';
import { createTestHost, processModel, type TestHost, waitUntil } from '@countersign/testing';
import type { Browser } from 'playwright-core';
import { toResult, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { addDiagram } from './draw-model.spec.support.js';
import { launchBrowser } from './web.spec.support.js';

/** Texts that would have an effect if they were not treated as plain text. */
export const HOSTILE = Object.freeze([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '[click](javascript:alert(1))',
  '<a href="javascript:alert(1)" onclick="alert(1)">click</a>',
  '![picture](https://evil.example/pixel.png)',
  '<style>* { display: none }</style>',
  '<form action="https://evil.example"><button>Sign in</button></form>',
]);

const MARKDOWN = `# Findings\n\nSee [the guide](https://docs.example/guide) and **this**:\n\n- [x] read\n- [ ] mended\n\n| part | state |\n|---|---|\n| printer | jammed |\n\n${HOSTILE.join('\n\n')}`;

const TEAM_SCHEMA = {
  type: 'object',
  required: ['team'],
  additionalProperties: false,
  properties: { team: { enum: ['payments', 'printing'], title: 'Team' } },
};

/** Agents that call a tool, ask a question and report. */
export const RESEARCHER_AGENTS: ConstructorParameters<typeof ScriptedAgents>[0] = Object.freeze({
  researcher: (turn: number) =>
    turn === 1
      ? {
          text: MARKDOWN,
          calls: [{ tool: 'look', arguments: { at: HOSTILE[1] ?? '', shelf: { row: 7, tags: ['a', 'b'] } } }],
        }
      : turn === 2
        ? {
            text: 'I need to know who owns this.',
            calls: [
              { tool: 'human.ask', question: { text: `Whose is it?\n\n${HOSTILE[0]}`, answerSchema: TEAM_SCHEMA } },
            ],
          }
        : { output: { summary: `Found it.\n\n${MARKDOWN}`, score: 0.93 } },
  chooser: (turn: number) =>
    turn === 1
      ? {
          calls: [
            { tool: 'human.ask', question: { text: 'Left or right?', options: ['left', `right ${HOSTILE[1]}`] } },
          ],
        }
      : { output: {} },
  asker: (turn: number) =>
    turn === 1 ? { calls: [{ tool: 'human.ask', question: { text: 'What now?' } }] } : { output: {} },
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function agentTask(agent: string, name: string): string {
  return (
    `<bpmn:serviceTask id="work" name="${escaped(name)}"><bpmn:extensionElements><zeebe:taskDefinition type="agent" /><zeebe:ioMapping><zeebe:input source="=ticket" target="ticket" /></zeebe:ioMapping>` +
    `<zeebe:taskHeaders><zeebe:header key="agent" value="${agent}" /><zeebe:header key="tools" value="note, look, human.ask" /><zeebe:header key="resultVariable" value="report" /></zeebe:taskHeaders></bpmn:extensionElements></bpmn:serviceTask>`
  );
}

const APPROVAL_TASK = `<bpmn:userTask id="ok" name="Publish the report"><bpmn:extensionElements><zeebe:assignmentDefinition candidateUsers="ada, bea" /><zeebe:properties><zeebe:property name="approval.evidence" value="report.md" /><zeebe:property name="approval.quorum" value="2" /></zeebe:properties></bpmn:extensionElements></bpmn:userTask>`;

/** Returns a BPMN model with an agent task, followed by an approval with evidence by two users. */
function buildResearchModel(id: string, agent: string, name: string): string {
  return addDiagram(
    processModel(
      id,
      `<bpmn:startEvent id="start" name="Ticket in" />${agentTask(agent, name)}${APPROVAL_TASK}<bpmn:endEvent id="end" name="Done" />`,
      'start > work',
      'work > ok',
      'ok > end',
    ),
  );
}

/** A server with agents that call a tool, ask a question and report, and a browser. */
export class PartsHost {
  private constructor(
    readonly countersign: TestHost,
    readonly browser: Browser,
    readonly viewer: Client,
    readonly operator: Client,
  ) {}

  static async start(): Promise<PartsHost> {
    const agents = new ScriptedAgents(RESEARCHER_AGENTS);
    const [countersign, browser] = await Promise.all([
      createTestHost({ plugins: [agents.plugin()], jobTypes: ['work'] }),
      launchBrowser(),
    ]);
    return PartsHost.deployTo(countersign, browser, agents);
  }

  /** @param agents must include the agents of `RESEARCHER_AGENTS` */
  static async deployTo(countersign: TestHost, browser: Browser, agents: ScriptedAgents): Promise<PartsHost> {
    agents.results.set('look', () =>
      toResult({
        found: `${HOSTILE[0]} on the third shelf`,
        pages: Array.from({ length: 40 }, (_, page) => ({ page, text: `Text of page ${page}` })),
      }),
    );
    await countersign.deploy(buildResearchModel('research', 'researcher', 'Research the ticket'));
    await countersign.deploy(buildResearchModel('hostile', 'researcher', `Research ${HOSTILE[1]}`));
    for (const agent of ['chooser', 'asker']) await countersign.deploy(buildResearchModel(agent, agent, 'Ask'));
    return new PartsHost(
      countersign,
      browser,
      await countersign.client('viewer', 'vera'),
      await countersign.client('operator', 'otto'),
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.countersign.close();
  }

  /** Creates a run that waits for the answer to a question. */
  async startAskingRun(workflowId = 'research'): Promise<RunDetail> {
    const { runId } = await this.viewer.startRun({
      body: { workflowId, inputs: { ticket: { id: 42, text: HOSTILE[0] ?? '' } } },
    });
    return this.waitForRun(runId, ({ pendingQuestions }) => pendingQuestions > 0);
  }

  /** Creates a run with an answered question and an artifact, which waits for two approvers. */
  async startReviewedRun(workflowId = 'research'): Promise<RunDetail> {
    const { runId, waitingFor } = await this.startAskingRun(workflowId);
    await this.operator.uploadArtifact({
      runId,
      artifactName: 'report.md',
      body: MARKDOWN,
      contentType: 'text/markdown',
    });
    const [wait] = waitingFor;
    if (wait?.kind === 'question')
      await this.operator.answerQuestion({
        runId,
        questionId: wait.questionId,
        body: { answer: { team: 'printing' } },
      });
    return this.waitForRun(runId, ({ pendingApprovals }) => pendingApprovals > 0);
  }

  /** Waits until the run meets the condition, and returns it. */
  waitForRun(runId: string, condition: (run: RunDetail) => boolean): Promise<RunDetail> {
    return waitUntil('the run meets the condition', async () => {
      const run = await this.viewer.getRun({ runId });
      return condition(run) && run;
    });
  }
}
