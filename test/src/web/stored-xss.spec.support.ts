import type { Client } from '@countersign/contract';
import type { TestHost } from '@countersign/testing';
import { agentModel, type ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { waitForApproval } from '../http/http.spec.support.js';

/**
 * Text that an attacker could store in any text field. If a part is treated as markup or code, it leaves a trace: a CSP
 * report, an error, a dialog, an external request, or `window.pwned`.
 */
export const HOSTILE_TEXT = [
  '\u202Egnp.exe\u2066\u200b\u2060\u00ad\u3164\u2800\u034f\u{e0041}pay\u200dpal\ufe01',
  '<script>window.pwned=1</script>',
  '"><img src=x onerror="window.pwned=1">',
  "'><svg/onload=window.pwned=1>",
  '</title></textarea></style><script>window.pwned=1</script>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<details open ontoggle=window.pwned=1>x</details>',
  '<a href="javascript:window.pwned=1">click</a>',
  '[click](javascript:window.pwned=1) ![x](https://evil.example/x.png "a\\" onerror=window.pwned=1")',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=window.pwned=1></style></mglyph></math>',
  '${window.pwned=1} {{constructor.constructor("window.pwned=1")()}}',
  '<base href="https://evil.example/"><link rel=stylesheet href="https://evil.example/x.css">',
  '<form action="https://evil.example/"><input autofocus onfocus=window.pwned=1></form>',
  'data:text/html,<script>window.pwned=1</script>',
  '<object data="data:text/html,x"></object>',
].join(' ');

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Input schema with hostile titles, descriptions and property names. */
const SCHEMA = JSON.stringify({
  type: 'object',
  title: HOSTILE_TEXT,
  description: HOSTILE_TEXT,
  properties: {
    [HOSTILE_TEXT.slice(0, 60)]: { type: 'string', title: HOSTILE_TEXT, description: HOSTILE_TEXT },
    choice: { enum: [HOSTILE_TEXT, 'b'] },
  },
});

/** Returns a BPMN model with hostile names and documentation, and a diagram. */
function hostileModel(id: string): string {
  const name = escapeXml(HOSTILE_TEXT);
  const documentation = `<bpmn:documentation>${name}</bpmn:documentation>`;
  const shape = (element: string, x: number, width: number, height: number): string =>
    `<bpmndi:BPMNShape id="${element}_di" bpmnElement="${element}"><dc:Bounds x="${x}" y="${100 - height / 2}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`;
  const edge = (element: string, from: number, to: number): string =>
    `<bpmndi:BPMNEdge id="${element}_di" bpmnElement="${element}"><di:waypoint x="${from}" y="100" /><di:waypoint x="${to}" y="100" /></bpmndi:BPMNEdge>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:test">
<bpmn:process id="${id}" name="${name}" isExecutable="true">${documentation}<bpmn:extensionElements><zeebe:versionTag value="${name}" /><zeebe:properties><zeebe:property name="inputSchema" value="${escapeXml(SCHEMA)}" /></zeebe:properties></bpmn:extensionElements>
<bpmn:startEvent id="start" name="${name}" />
<bpmn:serviceTask id="work" name="${name}">${documentation}<bpmn:extensionElements><zeebe:taskDefinition type="work" retries="1" /></bpmn:extensionElements></bpmn:serviceTask>
<bpmn:userTask id="ok" name="${name}">${documentation}<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.reworkStep" value="work" /></zeebe:properties></bpmn:extensionElements></bpmn:userTask>
<bpmn:endEvent id="end" name="${name}" />
<bpmn:sequenceFlow id="f1" name="${name}" sourceRef="start" targetRef="work" /><bpmn:sequenceFlow id="f2" sourceRef="work" targetRef="ok" /><bpmn:sequenceFlow id="f3" sourceRef="ok" targetRef="end" />
</bpmn:process>
<bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="${id}">${shape('start', 100, 36, 36)}${shape('work', 200, 100, 80)}${shape('ok', 360, 100, 80)}${shape('end', 520, 36, 36)}${edge('f1', 136, 200)}${edge('f2', 300, 360)}${edge('f3', 460, 520)}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</bpmn:definitions>`;
}

/** Name, content type and hostile content of each artifact. The content type of the last one is wrong on purpose. */
const ARTIFACTS: readonly (readonly [string, string, string])[] = [
  [
    'note.md',
    'text/markdown',
    `${HOSTILE_TEXT}\n\n[bank](https://\u0430\u0440\u0440le.com "${HOSTILE_TEXT.replaceAll(/["\\]/g, '')}") [two](data:text/html,x) [three](JaVaScRiPt:window.pwned=1) <javascript:window.pwned=1>`,
  ],
  ['page.html', 'text/html', HOSTILE_TEXT],
  [
    'drawing.svg',
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"><script>window.pwned=1</script><image href="https://evil.example/x.png"/></svg>',
  ],
  ['data.json', 'application/json', JSON.stringify({ [HOSTILE_TEXT]: HOSTILE_TEXT, __proto__: { polluted: 1 } })],
  ['change.patch', 'text/x-diff', `--- a/${HOSTILE_TEXT}\n+++ b/x\n@@ -1 +1 @@\n-${HOSTILE_TEXT}\n+${HOSTILE_TEXT}\n`],
  ['table.csv', 'text/csv', `a,b\n"${HOSTILE_TEXT.replaceAll('"', '""')}",=cmd|calc`],
  ['picture.png', 'image/png', HOSTILE_TEXT],
];

export interface HostileData {
  readonly waitingRunId: string;
  readonly failedRunId: string;
  readonly agentRunId: string;
  readonly approvalId: string;
  /** Names of the artifacts of the waiting run, in the order of the page. */
  readonly artifactNames: readonly string[];
}

/** Script of an agent that writes hostile text, and waits for an approval and an answer. */
export const hostileAgent: ConstructorParameters<typeof ScriptedAgents>[0] = {
  hostile: (turn) =>
    turn === 1
      ? { text: HOSTILE_TEXT, calls: [{ tool: 'look', arguments: { at: HOSTILE_TEXT } }] }
      : {
          text: HOSTILE_TEXT,
          calls: [
            { tool: 'note', arguments: { text: HOSTILE_TEXT } },
            { tool: 'human.ask', question: { text: HOSTILE_TEXT, options: [HOSTILE_TEXT.slice(0, 200), 'no'] } },
          ],
          taint: ['webhook'],
        },
};

/** Creates data with hostile text in every text field of the server. */
export async function createHostileData(countersign: TestHost, agents: ScriptedAgents): Promise<HostileData> {
  const createToken = (role: 'operator' | 'approver' | 'admin', subject: string): Promise<string> =>
    countersign.token(role, { subject, name: HOSTILE_TEXT.slice(0, 250) });
  const { createClient } = await import('@countersign/contract');
  const createClientFor = async (role: 'operator' | 'approver', subject: string): Promise<Client> =>
    createClient({ baseUrl: countersign.url, token: await createToken(role, subject) });
  const [operator, approver] = await Promise.all([
    createClientFor('operator', 'otto'),
    createClientFor('approver', 'alma'),
  ]);
  agents.results.set('look', () => ({
    kind: 'result',
    result: { content: { [HOSTILE_TEXT]: HOSTILE_TEXT }, isError: false, taint: ['http'] },
  }));
  await countersign.deploy(hostileModel('hostile'));
  await countersign.deploy(agentModel('hostile-agent', 'hostile'));

  const startHostileRun = (): Promise<{ runId: string }> =>
    operator.startRun({
      body: {
        workflowId: 'hostile',
        businessKey: HOSTILE_TEXT.slice(0, 250),
        inputs: { text: HOSTILE_TEXT, [HOSTILE_TEXT.slice(0, 60)]: HOSTILE_TEXT, [HOSTILE_TEXT.slice(0, 100)]: 1 },
      },
    });
  const waitingRun = await startHostileRun();
  await countersign.jobs.complete('work', { result: HOSTILE_TEXT });
  const firstApproval = await waitForApproval(approver, waitingRun.runId);
  for (const [name, contentType, content] of ARTIFACTS)
    await operator.uploadArtifact({ runId: waitingRun.runId, artifactName: name, body: content, contentType });
  await operator.uploadArtifact({
    runId: waitingRun.runId,
    artifactName: HOSTILE_TEXT.replaceAll(/[/\\]/g, '|').slice(0, 190),
    body: HOSTILE_TEXT,
    contentType: 'text/plain',
  });
  await approver.decideApproval({
    approvalId: firstApproval.approvalId,
    body: { decision: 'request_changes', comment: HOSTILE_TEXT },
  });
  await countersign.jobs.complete('work', { result: HOSTILE_TEXT });
  const lastResolutionSeq =
    (await operator.listRunEvents({ runId: waitingRun.runId, limit: 200 })).items.findLast(
      ({ type }) => type === 'approval.resolved',
    )?.seq ?? 0;
  const { approvalId } = await waitForApproval(approver, waitingRun.runId, lastResolutionSeq);

  const failedRun = await startHostileRun();
  (await countersign.jobs.take('work')).fail(new Error(HOSTILE_TEXT));
  const agentRun = await operator.startRun({ body: { workflowId: 'hostile-agent' } });
  await waitForApproval(approver, agentRun.runId);
  await countersign.deploy(hostileModel('hostile').replace('retries="1"', 'retries="2"'));
  const artifacts = (await operator.listArtifacts({ runId: waitingRun.runId })).items.map(({ name }) => name);
  return {
    waitingRunId: waitingRun.runId,
    failedRunId: failedRun.runId,
    agentRunId: agentRun.runId,
    approvalId,
    artifactNames: artifacts,
  };
}
