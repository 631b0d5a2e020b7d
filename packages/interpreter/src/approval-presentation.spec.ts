import { expect } from 'chai';
import type { ApprovalRecord, JsonObject, SubjectField } from '@countersign/model';
import { approval, end, flows, job, start, T0, TestRun, user } from './interpreter.spec.support.js';

const INPUTS =
  '<zeebe:ioMapping><zeebe:input source="=order.supplier" target="supplier"/><zeebe:input source="=order.amount" target="amount"/></zeebe:ioMapping>';

/** Builds a model with an approval parallel to the job `other`. */
const paymentModel = (properties: Record<string, string>, inputs = INPUTS): string =>
  start +
  '<bpmn:parallelGateway id="f"/>' +
  job('other') +
  approval('ok', inputs, escapeQuotes(properties)) +
  job('after') +
  end +
  flows('start > f', 'f > other', 'f > ok', 'other > end', 'ok > after', 'after > end');

const escapeQuotes = (properties: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, value.replaceAll('"', '&quot;')]));

function findApprovals(run: TestRun): ApprovalRecord[] {
  return run.requests.flatMap((request) => (request.type === 'approval.open' ? [request.approval] : []));
}

async function openApproval(
  properties: Record<string, string>,
  variables: JsonObject = { order: { supplier: 'ACME', amount: 1200 } },
  businessKey: string | null = null,
): Promise<{ run: TestRun; approval: ApprovalRecord }> {
  const run = await TestRun.of(paymentModel(properties));
  run.start(variables, user('starter'), undefined, undefined, businessKey);
  const [opened] = findApprovals(run);
  if (opened === undefined) throw new Error(`no approval was opened: ${run.at('ok').incident?.message}`);
  return { run, approval: opened };
}

async function findIncident(properties: Record<string, string>): Promise<string | undefined> {
  const run = await TestRun.of(paymentModel(properties));
  run.start({ order: { supplier: 'ACME', amount: 1200 } });
  expect(findApprovals(run)).to.deep.equal([]);
  expect(run.at('ok').incident?.code).to.equal('approval_invalid');
  return run.at('ok').incident?.message;
}

describe('advance(): how an approval presents its subject', () => {
  it('should evaluate title, summary and fields, and include them in the subject', async () => {
    const { approval: opened } = await openApproval({
      'approval.title': '="Pay " + string(amount) + " to " + supplier',
      'approval.summary': '="Monthly invoice of " + supplier',
      'approval.fields':
        '=[{label: "Supplier", value: supplier}, {label: "Amount", value: amount, format: "money", currency: "EUR"}]',
    });
    const fields: SubjectField[] = [
      { label: 'Supplier', value: 'ACME', format: 'text' },
      { label: 'Amount', value: 1200, format: 'money', currency: 'EUR' },
    ];
    expect(opened.title).to.equal('Pay 1200 to ACME');
    expect(opened.subject).to.deep.include({
      title: 'Pay 1200 to ACME',
      summary: 'Monthly invoice of ACME',
      fields,
      inputs: { supplier: 'ACME', amount: 1200 },
    });
  });

  it('should cover the texts with the digest', async () => {
    const presentations: readonly Record<string, string>[] = [
      {},
      { 'approval.title': 'One' },
      { 'approval.title': 'Two' },
      { 'approval.summary': 'One' },
      { 'approval.fields': '=[{label: "A", value: 1}]' },
      { 'approval.fields': '=[{label: "A", value: 1, format: "date"}]' },
    ];
    const digests = await Promise.all(
      presentations.map(async (properties) => (await openApproval(properties)).approval.digest),
    );
    expect(new Set(digests).size).to.equal(digests.length);
  });

  it('should accept a vote on the same texts later, even if they contain the time of the request', async () => {
    // given
    const { run, approval: opened } = await openApproval({ 'approval.summary': '="Asked at " + string(now())' });
    expect(opened.subject).to.have.property('summary').that.contains('2026-01-01T12:00:00');
    run.now = T0 + 86_400_000;

    // when
    const { refusal } = run.vote('ok', 'approve', user('boss'));

    // then
    expect(refusal).to.equal(null);
    expect(run.tokens()).to.include('after');
  });

  it('should ask again with the new title when an input has changed', async () => {
    // given
    const { run } = await openApproval({ 'approval.title': '="Pay " + string(amount)' });

    // when
    run.complete('other', { order: { supplier: 'ACME', amount: 9000 } });
    const { refusal } = run.vote('ok', 'approve');

    // then
    expect(refusal?.code).to.equal('stale_digest');
    expect(findApprovals(run).map(({ title, round }) => [title, round])).to.deep.equal([
      ['Pay 1200', 1],
      ['Pay 9000', 2],
    ]);
  });

  it('should use the name of the task and the business key when the BPMN model has no title', async () => {
    expect((await openApproval({}, undefined, 'PO-7')).approval.title).to.equal('Approve ok – PO-7');
    expect((await openApproval({})).approval.title).to.equal('Approve ok');
  });

  for (const variables of [{ order: { supplier: null } }, { order: {} }, { order: { supplier: '  ' } }] as JsonObject[])
    it(`should use the defaults when a text is missing, as for ${JSON.stringify(variables)}`, async () => {
      const { approval: opened } = await openApproval(
        { 'approval.title': '=supplier', 'approval.summary': '=supplier', 'approval.fields': '=supplier.lines' },
        variables,
      );
      expect(opened.title).to.equal('Approve ok');
      expect(opened.subject).not.to.have.any.keys('title', 'summary', 'fields');
    });

  it('should read the variables that are approved when the task has no input mapping', async () => {
    const run = await TestRun.of(paymentModel({ 'approval.title': '=supplier' }, ''));
    run.start({ supplier: 'ACME' });
    expect(findApprovals(run)[0]?.title).to.equal('ACME');
  });

  it('should shorten long texts without splitting a character', async () => {
    const { approval: opened } = await openApproval(
      { 'approval.title': '=supplier' },
      {
        order: { supplier: `${'x'.repeat(299)}😀${'y'.repeat(10)}` },
      },
    );
    expect(opened.title).to.equal(`${'x'.repeat(299)}…`);
  });

  it('should accept labels and currencies from data, whatever they contain', async () => {
    const { approval: opened } = await openApproval({
      'approval.fields':
        '=[{label: "  ", value: 1}, {label: "Amount", value: amount, format: "money", currency: " eur "}]',
    });
    expect(opened.subject).to.have.deep.property('fields', [
      { label: '–', value: 1, format: 'text' },
      { label: 'Amount', value: 1200, format: 'money', currency: 'eur' },
    ]);
  });

  it('should ask again with the defaults when a changed input makes the texts invalid', async () => {
    // given
    const { run } = await openApproval(
      { 'approval.title': '=supplier', 'approval.fields': '=amount' },
      {
        order: { supplier: 'ACME', amount: [{ label: 'A', value: 1 }] },
      },
    );
    run.complete('other', { order: { supplier: [1], amount: 1 } });

    // when
    const { refusal } = run.vote('ok', 'approve');

    // then
    expect(refusal?.code).to.equal('stale_digest');
    const lastApproval = findApprovals(run).at(-1);
    expect([lastApproval?.round, lastApproval?.title]).to.deep.equal([2, 'Approve ok']);
    expect(lastApproval?.subject).not.to.have.any.keys('title', 'fields');

    // when
    expect(run.vote('ok', 'approve').refusal).to.equal(null);

    // then
    expect(run.tokens()).to.include('after');
  });

  it('should fail with approval_invalid when a text or the fields have another type', async () => {
    expect(await findIncident({ 'approval.title': '=[1]' })).to.contain('The title of "ok" must be a text');
    expect(await findIncident({ 'approval.summary': '={a: 1}' })).to.contain('The summary of "ok" must be a text');
    expect(await findIncident({ 'approval.fields': '="Supplier"' })).to.contain('must be a list of contexts');
    expect(await findIncident({ 'approval.fields': '=[1]' })).to.contain('Field 1 of "ok" must be a context');
    expect(await findIncident({ 'approval.fields': '=[{label: 1, value: 1}]' })).to.contain('Field 1 of "ok"');
    expect(
      await findIncident({ 'approval.fields': '=[{label: "A", value: 1}, {label: "B", value: 1, format: "euro"}]' }),
    ).to.contain('The format of field 2 of "ok" must be one of text, money');
    expect(await findIncident({ 'approval.fields': '=for i in 1..1001 return {label: "A", value: i}' })).to.contain(
      'are 1001; 1000 are possible',
    );
  });
});
