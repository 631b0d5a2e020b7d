import { approvalModel, createTestHost, processModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { expectAccessible, expectCount, hasBrowser, launchBrowser, openWindow } from './web.spec.support.js';

const SCHEMA = {
  type: 'object',
  required: ['repository', 'from', 'dryRun'],
  additionalProperties: false,
  properties: {
    repository: { type: 'string', title: 'Repository', description: 'Path of the repository.', minLength: 3 },
    from: { $ref: '#/$defs/tag' },
    level: { title: 'Level', description: 'Scale of the change.', enum: ['patch', 'minor', 'major'] },
    notes: { type: 'string', title: 'Notes', description: 'Release notes for the readers.', maxLength: 2000 },
    date: { type: 'string', format: 'date', title: 'Date' },
    size: { type: 'integer', title: 'Size', minimum: 1 },
    dryRun: { type: 'boolean', title: 'Dry run' },
    target: { type: 'object', title: 'Target', properties: { host: { type: 'string', title: 'Host' } } },
    reviewers: { type: 'array', title: 'Reviewers', items: { type: 'string', title: 'Reviewer' } },
  },
  $defs: { tag: { type: 'string', title: 'From', pattern: '^v[0-9]+$' } },
};

function schemaModel(id: string, schema: object): string {
  const escapedSchema = JSON.stringify(schema)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;');
  const property = `<bpmn:extensionElements><zeebe:properties><zeebe:property name="inputSchema" value="${escapedSchema}" /></zeebe:properties></bpmn:extensionElements>`;
  return processModel(id, `${property}<bpmn:startEvent id="start" /><bpmn:endEvent id="end" />`, 'start > end');
}

(hasBrowser() ? describe : describe.skip)('web: starting a run', () => {
  let countersign: TestHost;
  let browser: Browser;
  let token: string;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    token = await countersign.token('operator');
    await countersign.deploy(approvalModel('simple'));
    await countersign.deploy(schemaModel('release', SCHEMA));
    await countersign.deploy(
      schemaModel('payment', {
        type: 'object',
        required: ['amount', 'invoice'],
        properties: {
          amount: { type: 'number', title: 'Amount', maximum: 10_000 },
          invoice: { type: 'integer', title: 'Invoice' },
        },
      }),
    );
    await countersign.deploy(
      schemaModel('tree', { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } }),
    );
    // The page does not check this pattern, because backtracking could block it. Only the server checks it.
    await countersign.deploy(
      schemaModel('slow', {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string', title: 'Code', pattern: '^([a-z]+-)+x$' } },
      }),
    );
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should be accessible, and move the focus to the list of input errors (${colorScheme})`, async () => {
      // given
      const window = await openWindow(browser, { url: countersign.url, token, colorScheme });
      const { page } = window;
      await page.goto(`${countersign.url}/runs/new?workflowId=release`);
      await page.getByRole('textbox', { name: 'Repository' }).fill('ab');
      await page.getByRole('button', { name: 'Add to Reviewers' }).click();
      await expectAccessible(page);
      // when
      await page.getByRole('button', { name: 'Start run' }).click();
      // then
      const list = page.getByRole('alert');
      await list.getByText('3 problems to correct').waitFor();
      expect(
        await list.evaluate(
          (element) => element.contains(document.activeElement) || element === document.activeElement,
        ),
      ).to.equal(true);
      await expectAccessible(page);
      // when
      await list.getByRole('button', { name: 'from: Required.' }).click();
      await page.keyboard.type('main');
      // then
      await list.getByText('from: Does not match the required pattern.').waitFor();
      expect(await page.getByRole('textbox', { name: 'From' }).getAttribute('aria-invalid')).to.equal('true');
      await window.close();
    });
  }

  it('should describe each field with the description in its schema', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    await page.goto(`${countersign.url}/runs/new?workflowId=release`);
    const readFieldDescription = (name: string): Promise<string> =>
      page
        .getByRole('textbox', { name })
        .or(page.getByRole('combobox', { name }))
        .evaluate((field) =>
          (field.getAttribute('aria-describedby') ?? '')
            .split(' ')
            .map((id) => document.getElementById(id)?.textContent ?? '')
            .join(''),
        );
    // then: the descriptions of a single-line text, a multi-line text and a choice
    expect(await readFieldDescription('Repository')).to.equal('Path of the repository.');
    expect(await readFieldDescription('Notes')).to.equal('Release notes for the readers.');
    expect(await readFieldDescription('Level')).to.equal('Scale of the change.');
    await window.close();
  });

  it('should start a run with the form input by keyboard', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    await page.goto(`${countersign.url}/runs/new`);
    // when
    await page.getByRole('combobox', { name: 'Workflow' }).focus();
    await page.keyboard.type('relea');
    await page.getByRole('option', { name: 'release' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Business key' }).focus();
    await page.keyboard.type('release-7');
    await page.getByRole('textbox', { name: 'Repository' }).focus();
    await page.keyboard.type('/srv/code');
    await page.keyboard.press('Tab');
    await page.keyboard.type('v12');
    await page.getByRole('textbox', { name: 'Notes' }).focus();
    await page.keyboard.type('line one');
    await page.getByRole('checkbox', { name: 'Dry run' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('textbox', { name: 'Repository' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    // then
    const run = await (await countersign.client('viewer')).getRun({ runId: page.url().split('/').at(-1) ?? '' });
    expect(run.inputs).to.deep.equal({ repository: '/srv/code', from: 'v12', notes: 'line one', dryRun: true });
    expect([run.workflowId, run.businessKey]).to.deep.equal(['release', 'release-7']);
    await window.close();
  });

  it('should refuse a number that cannot be stored exactly or is not valid, and keep the input', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    await page.goto(`${countersign.url}/runs/new?workflowId=payment`);
    const amount = page.getByRole('textbox', { name: 'Amount' });
    const invoice = page.getByRole('textbox', { name: 'Invoice' });
    const inexactMessage = 'This number has too many digits, or is too large, to be stored exactly.';
    const invalidNumberMessage = 'amount: Must be a number such as -1234.5, without spaces, commas or quotation marks.';
    for (const [enteredAmount, enteredInvoice, ...problems] of [
      ['12000', '9007199254740993', 'amount: Must be at most 10000.', `invoice: ${inexactMessage}`],
      ['1234567890123456.78', '1234567890123456789012', `amount: ${inexactMessage}`, `invoice: ${inexactMessage}`],
      ['1e400', '1.5', `amount: ${inexactMessage}`, 'invoice: Must be a whole number.'],
      ['12,000', '-', invalidNumberMessage, 'invoice: Must be a whole number such as -1234'],
      ['12 €', '1.5', invalidNumberMessage, 'invoice: Must be a whole number.'],
    ] as const) {
      // when
      await amount.fill(enteredAmount);
      await invoice.fill(enteredInvoice);
      await page.getByRole('button', { name: 'Start run' }).click();
      // then
      for (const problem of problems) await page.getByRole('alert').getByText(problem).waitFor();
      expect([await amount.inputValue(), await invoice.inputValue()]).to.deep.equal([enteredAmount, enteredInvoice]);
    }
    await expectAccessible(page);
    // when
    await amount.fill('12.50');
    await invoice.fill('9007199254740991');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    // then
    const run = await (await countersign.client('viewer')).getRun({ runId: page.url().split('/').at(-1) ?? '' });
    expect(run.inputs).to.deep.equal({ amount: 12.5, invoice: 9007199254740991 });
    await window.close();
  });

  it('should explain why the inputs of a link are not used', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    // when
    for (const [inputs, reason] of [
      ['[1]', 'they are not a JSON object'],
      ['{"amount":9007199254740993}', 'a number that can’t be stored exactly'],
    ] as const) {
      await page.goto(`${countersign.url}/runs/new?workflowId=payment&inputs=${encodeURIComponent(inputs)}`);
      // then
      await page.getByText(reason).waitFor();
      expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).to.equal('');
    }
    // when
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await page.getByRole('textbox', { name: 'Inputs' }).fill('{\n  "amount": 9007199254740993\n}');
    await page.getByRole('button', { name: 'Edit as a form' }).click();
    // then
    await page.getByText('The number on line 2, column 13 can’t be stored exactly.').waitFor();
    await window.close();
  });

  it('should fill the form from a link without starting a run, and switch between form and JSON', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    const client = await countersign.client('viewer');
    const before = await client.listRuns({});
    const inputs = { repository: '/srv/linked', from: 'v1', dryRun: true };
    // when
    await page.goto(
      `${countersign.url}/runs/new?workflowId=release&businessKey=linked&inputs=${encodeURIComponent(JSON.stringify(inputs))}`,
    );
    await page.getByText('nothing has been started yet').waitFor();
    expect(await page.getByRole('textbox', { name: 'Repository' }).inputValue()).to.equal('/srv/linked');
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const json = page.getByRole('textbox', { name: 'Inputs' });
    expect(JSON.parse(await json.inputValue())).to.include(inputs);
    await expectAccessible(page);
    await json.fill('{ "repository": ');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByText('Invalid JSON').waitFor();
    await json.fill(JSON.stringify({ ...inputs, repository: '/srv/other', size: 0 }));
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByRole('alert').getByText('size').waitFor();
    await json.fill(JSON.stringify({ ...inputs, repository: '/srv/other', size: 2 }));
    await page.getByRole('button', { name: 'Edit as a form' }).click();
    // then
    expect(await page.getByRole('textbox', { name: 'Repository' }).inputValue()).to.equal('/srv/other');
    expect(await client.listRuns({})).to.deep.equal(before);
    await window.close();
  });

  it('should start only one run if the user submits again after the response was lost', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    let isResponseLost = false;
    await page.route('**/api/runs', async (route) => {
      if (route.request().method() !== 'POST' || isResponseLost) return route.fallback();
      // The run was started; only the response reports an error.
      await route.fetch();
      isResponseLost = true;
      return route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Lost',
          status: 500,
          code: 'internal',
          retryable: false,
          traceId: '0',
          errors: [],
        }),
      });
    });
    await page.goto(`${countersign.url}/runs/new?workflowId=simple&businessKey=once`);
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByRole('alert').getByText('Lost').first().waitFor();
    // when
    await page.getByRole('button', { name: 'Start run' }).click();
    // then
    await page.waitForURL(/\/runs\/(?!new)/);
    const { items } = await (await countersign.client('viewer')).listRuns({ businessKey: 'once' });
    expect(items).to.have.length(1);
    await window.close();
  });

  it('should show an error reported by the server at its field', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    await page.goto(`${countersign.url}/runs/new?workflowId=slow`);
    // when
    await page.getByRole('textbox', { name: 'Code' }).fill('ab-cd-y');
    await page.getByRole('button', { name: 'Start run' }).click();
    // then
    await page.getByRole('alert').getByText('code: String does not match pattern.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Code' }).getAttribute('aria-invalid')).to.equal('true');
    await window.close();
  });

  it('should offer only JSON input for a workflow without a schema or with a recursive schema', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    await page.goto(`${countersign.url}/runs/new?workflowId=tree`);
    await page.getByText('its schema is too complex for a form').waitFor();
    await expectCount(page.getByRole('button', { name: 'Edit as a form' }), 0);
    await page.goto(`${countersign.url}/runs/new?workflowId=simple`);
    await page.getByText('No schema describes it').waitFor();
    // when
    await page.getByRole('textbox', { name: 'Inputs' }).fill('{"answer": 42}');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    // then
    const run = await (await countersign.client('viewer')).getRun({ runId: page.url().split('/').at(-1) ?? '' });
    expect(run.inputs).to.deep.equal({ answer: 42 });
    await window.close();
  });

  it('should report an unknown workflow in a link', async () => {
    const window = await openWindow(browser, { url: countersign.url, token });
    const { page } = window;
    await page.goto(`${countersign.url}/runs/new?workflowId=nothing`);
    await page.getByText('Workflow nothing not found.').waitFor();
    await window.close();
  });
});
