import { expect } from 'chai';
import { EvidenceReader } from './evidence-reader.spec.support.js';
import { hasBrowser } from './web.spec.support.js';

const ROWS = Array.from({ length: 80 }, (_, index) => `${index + 1},Payee ${index + 1}`).join('\n');
/** Small enough to skip nothing. */
const STEPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Lines of which the second half wraps in a narrow window. */
const TEXT = Array.from({ length: 80 }, (_, index) =>
  index < 40 ? `Line ${index + 1}` : `Line ${index + 1} ${'has many words '.repeat(12)}`,
).join('\n');

(hasBrowser() ? describe : describe.skip)('web: layouts of evidence', () => {
  let reader: EvidenceReader;

  before(async () => {
    reader = await EvidenceReader.start(['rows.csv', 'text.txt']);
  });

  after(() => reader?.close());

  afterEach(() => reader.closeWindow());

  it('should not count a share that was seen in one view in the other', async () => {
    // given: about half of the table was in view
    await reader.open({ 'rows.csv': ['text/csv', `Number,Payee\n${ROWS}`], 'text.txt': ['text/plain', 'x'] });
    const evidence = await reader.show('rows.csv');
    await evidence.getByRole('cell', { name: 'Payee 80' }).waitFor({ state: 'attached' });
    for (const share of [0.15, 0.3, 0.4]) await reader.scrollTo('rows.csv', share);
    const table = await reader.getStatus('rows.csv').innerText();
    expect(table).to.match(/^(Opened, )?\d+ % shown/);

    // when: the first lines of the text are in view, and then those where the table was left
    await reader.page.getByText('Plain', { exact: true }).click();
    await evidence.locator('pre').waitFor();
    await reader.scrollTo('rows.csv', 0.45);
    await reader.scrollTo('rows.csv', 0.6);
    await reader.scrollTo('rows.csv', 0.8);
    await reader.scrollTo('rows.csv', 1);

    // then
    expect(await reader.getStatus('rows.csv').innerText()).to.equal(table);

    // when: the text is read from its start
    for (const share of STEPS) await reader.scrollTo('rows.csv', share);

    // then
    await reader.expectStatus('rows.csv', 'Opened');
  });

  it('should count a text from its start in a window of another width, and keep what was seen', async () => {
    // given
    await reader.open({ 'rows.csv': ['text/csv', 'x'], 'text.txt': ['text/plain', TEXT] });
    const evidence = await reader.show('text.txt');
    await evidence.getByText('Line 80').waitFor({ state: 'attached' });
    await reader.scrollTo('text.txt', 0.1);
    const wide = await reader.getStatus('text.txt').innerText();

    // when
    await reader.page.setViewportSize({ width: 420, height: 900 });
    await reader.scrollTo('text.txt', 0.2);
    await reader.scrollTo('text.txt', 0.5);
    await reader.scrollTo('text.txt', 1);

    // then
    expect(await reader.getStatus('text.txt').innerText()).to.equal(wide);

    // when: the window has its first width again
    await reader.page.setViewportSize({ width: 1280, height: 900 });
    for (const share of STEPS) await reader.scrollTo('text.txt', share);

    // then
    await reader.expectStatus('text.txt', 'Opened');
  });
});
