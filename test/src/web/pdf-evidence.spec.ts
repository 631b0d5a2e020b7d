import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { EvidenceReader } from './evidence-reader.spec.support.js';
import { createPdf, INVOICE, PDF_WITH_MORE } from './pdf.spec.support.js';
import { changeColorScheme, expectAccessible, hasBrowser } from './web.spec.support.js';

const PDF = 'application/pdf';
/** A black image of 16 × 16 pixels in JPEG 2000. */
const JPEG_2000 = atob(
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAEAAAABAAAQcHAAAAAAAPY29scgEAAAAAABEAAACUanAyY/9P/1EAKQAAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAQcBAf9SAAwAAAABAAQEBAAB/1wAEEBASEhQSEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAAFgAB/5PfgAgHgICAgP/Z',
);
/** A key for the owner and a check of the user's password, which no password passes. */
const KEY = '11'.repeat(32);

/**
 * Makes a page behave as in a hidden tab: it gets no frames. Headless Chromium keeps all tabs visible, even behind others
 * or in a minimized window, so that the state of the document and the frames are replaced.
 *
 * @returns makes the tab visible again
 */
async function hideTab(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { requestAnimationFrame: originalRequest } = globalThis;
    const held: FrameRequestCallback[] = [];
    globalThis.requestAnimationFrame = (run) => -held.push(run);
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    (globalThis as { showTab?: () => void }).showTab = () => {
      globalThis.requestAnimationFrame = originalRequest;
      Reflect.deleteProperty(document, 'visibilityState');
      document.dispatchEvent(new Event('visibilitychange'));
      held.forEach((run) => originalRequest(run));
    };
  });
  return () => page.evaluate(() => (globalThis as { showTab?: () => void }).showTab?.());
}

(hasBrowser() ? describe : describe.skip)('web: PDF evidence', () => {
  let reader: EvidenceReader;

  before(async () => {
    reader = await EvidenceReader.start(['file.pdf']);
  });

  after(() => reader?.close());

  afterEach(() => reader.closeWindow());

  async function open(content: Uint8Array<ArrayBuffer>, contentType = PDF): Promise<Locator> {
    await reader.open({ 'file.pdf': [contentType, content] });
    return reader.show('file.pdf');
  }

  const getPage = (evidence: Locator, number: number, total: number): Locator =>
    evidence.getByRole('group', { name: `Page ${number} of ${total}` });
  const expectDrawn = (page: Locator): Promise<void> => page.and(reader.page.locator('[aria-busy="false"]')).waitFor();

  /** Counts the pixels of a drawn page that are not white. */
  const countPixels = (page: Locator): Promise<number> =>
    page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      let count = 0;
      for (let index = 0; index < data.length; index += 4) if ((data[index] ?? 255) < 128) count += 1;
      return count;
    });

  /** Reads on without skipping anything. */
  async function readToEnd(): Promise<void> {
    for (let share = 0; share <= 1; share += 0.05) await reader.scrollTo('file.pdf', share);
    await reader.scrollTo('file.pdf', 1);
  }

  it('should show the pages with their text, and count them as seen when they were drawn and in view', async () => {
    // when
    const evidence = await open(INVOICE);

    // then: the first page is in view in part
    await expectDrawn(getPage(evidence, 1, 2));
    await reader.expectStatus('file.pdf', /^(Opened, )?\d+ % shown/);
    expect(await countPixels(getPage(evidence, 1, 2))).to.be.greaterThan(500);
    await getPage(evidence, 1, 2).getByText('Total: 76.10 EUR').waitFor();
    const [line, page] = await Promise.all([
      getPage(evidence, 1, 2).getByText('Invoice 4711').boundingBox(),
      getPage(evidence, 1, 2).boundingBox(),
    ]);
    // The text is where it is drawn: 60 of 595 points from the left.
    expect(((line?.x ?? 0) - (page?.x ?? 0)) / (page?.width ?? 1)).to.be.closeTo(60 / 595, 0.01);

    // when: the end is in view, but not what is before it
    await reader.scrollTo('file.pdf', 1);
    await expectDrawn(getPage(evidence, 2, 2));

    // then
    expect(await reader.getStatus('file.pdf').innerText()).to.match(/\d+ % shown/);

    // when
    await readToEnd();

    // then
    await reader.expectStatus('file.pdf', 'Opened');
    for (const theme of ['light', 'dark'] as const) {
      await changeColorScheme(reader.page, theme);
      await expectAccessible(reader.page);
    }
  });

  it('should be read by key, and enlarged', async () => {
    // given
    const evidence = await open(INVOICE, 'application/octet-stream');
    await expectDrawn(getPage(evidence, 1, 2));
    const fitted = await getPage(evidence, 1, 2).boundingBox();

    // when
    let status = await reader.getStatus('file.pdf').innerText();
    await evidence.focus();
    while (!status.startsWith('Opened')) {
      await reader.page.keyboard.press('e');
      await reader.page.getByText(status, { exact: true }).waitFor({ state: 'detached' });
      status = await reader.getStatus('file.pdf').innerText();
    }
    await evidence.getByRole('radio', { name: 'Fit' }).press('ArrowRight');
    await evidence
      .getByRole('radio', { name: '150 %' })
      .and(reader.page.locator(':checked'))
      .waitFor({ state: 'attached' });
    await expectDrawn(getPage(evidence, 1, 2));

    // then
    const enlarged = await getPage(evidence, 1, 2).boundingBox();
    expect(enlarged?.width).to.be.closeTo((fitted?.width ?? 0) * 1.5, 1);
  });

  it('should state what it contains but does not show, and execute no script', async () => {
    // when
    const evidence = await open(PDF_WITH_MORE);
    await expectDrawn(getPage(evidence, 1, 1));

    // then
    expect(await evidence.getByRole('listitem').allTextContents()).to.deep.equal([
      'It contains 1 attachment that is not displayed and does not count as shown.',
      'It contains 1 hidden layer, which is not displayed and does not count as shown.',
      'It contains 1 annotation with texts, files or media that are not displayed and do not count as shown.',
      'It contains scripts, which are not executed. In another program, it may look different.',
    ]);
    expect(await getPage(evidence, 1, 1).locator('.cs-pdf-text').innerText()).to.equal('Shown text');
    expect(await evidence.locator('.cs-pdf-pages :is(a, iframe, embed, object, input)').count()).to.equal(0);
    await readToEnd();
    expect(await reader.getStatus('file.pdf').innerText()).to.equal('Opened, 99 % shown');
    await expectAccessible(reader.page);
  });

  it('should decode JPEG 2000 images, and read texts by bundled character maps', async () => {
    // when
    const evidence = await open(
      createPdf({
        pages: [
          {
            operators: 'q 400 0 0 400 60 200 cm /Image Do Q BT /F2 24 Tf 60 700 Td <4e2d6587> Tj ET',
            resources: '/XObject << /Image 100 0 R >>',
            fonts: '/F2 101 0 R',
          },
        ],
        objects: [
          `<< /Type /XObject /Subtype /Image /Width 16 /Height 16 /Filter /JPXDecode /Length ${JPEG_2000.length} >>\nstream\n${JPEG_2000}\nendstream`,
          '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [102 0 R] >>',
          '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >> >>',
        ],
      }),
    );
    await expectDrawn(getPage(evidence, 1, 1));

    // then: the image has 400 of 595 points
    await getPage(evidence, 1, 1).getByText('中文').waitFor();
    const { width = 0 } = (await getPage(evidence, 1, 1).boundingBox()) ?? {};
    expect(await countPixels(getPage(evidence, 1, 1))).to.be.greaterThan(0.95 * ((400 / 595) * width) ** 2);
  });

  it('should not count a page with errors as seen', async () => {
    // given: an image of the second page cannot be decoded
    const evidence = await open(
      createPdf({
        pages: [
          { lines: ['First'] },
          { lines: ['Second'], operators: '/Broken Do', resources: '/XObject << /Broken 100 0 R >>' },
          { lines: ['Third'] },
        ],
        objects: [
          '<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /JPXDecode /Length 4 >>\nstream\nnoJP\nendstream',
        ],
      }),
    );
    await expectDrawn(getPage(evidence, 1, 3));

    // when
    await readToEnd();

    // then
    await evidence
      .getByText(
        'Page 2 has errors, so parts of it may be missing. It does not count as shown. Download the file to view it.',
      )
      .waitFor();
    expect(Number.parseInt((await reader.getStatus('file.pdf').innerText()).replace('Opened, ', ''), 10)).to.be.within(
      20,
      34,
    );
  });

  it('should draw a page that took too long in a hidden tab once the tab is visible', async () => {
    // given: the last page is far below the visible part
    const evidence = await open(createPdf({ pages: Array.from({ length: 6 }, () => ({ lines: ['Invoice'] })) }));
    const { page } = reader;
    await expectDrawn(getPage(evidence, 1, 6));
    await page.clock.install();
    const show = await hideTab(page);
    const lastPage = getPage(evidence, 6, 6);

    // when
    await lastPage.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
    const failure = lastPage.getByText('Page 6 takes too long to draw, so it does not count as shown.');
    await waitUntil('the page took too long', async () => {
      await page.clock.fastForward(20_000);
      return (await failure.count()) > 0;
    });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

    // then
    await failure.waitFor();

    // when
    await show();

    // then
    await lastPage.locator('canvas').waitFor();
    await expectDrawn(lastPage);
    await failure.waitFor({ state: 'detached' });
    expect(await countPixels(lastPage)).to.be.greaterThan(50);
  });

  it('should state that pages are not displayed, and count only the others', async () => {
    // given
    const evidence = await open(createPdf({ pages: Array.from({ length: 250 }, () => ({ lines: ['x'] })) }));
    await evidence
      .getByRole('listitem')
      .getByText('Pages 201 to 250 of 250 are not displayed and do not count as shown. Download the file to view them.')
      .waitFor();

    // then
    expect(await evidence.locator('.cs-pdf-page').count()).to.equal(200);
    expect(await evidence.locator('canvas').count(), 'only what is near is drawn').to.be.below(6);
    expect(await evidence.locator('[data-max-share]').getAttribute('data-max-share')).to.equal('0.8');
  });

  for (const [name, content, message] of [
    [
      'protected by a password',
      createPdf({
        pages: [{ lines: ['Secret'] }],
        trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${KEY}> /U <${KEY}> /P -4 >> /ID [<01> <01>]`,
      }),
      'This PDF is protected by a password, so it can’t be shown here. Download it to view it.',
    ],
    ['damaged', INVOICE.slice(0, 200), 'This PDF is damaged, so it can’t be shown here. Download it to view it.'],
    [
      'another file',
      new Uint8Array([1, 2, 3]),
      'This PDF is damaged, so it can’t be shown here. Download it to view it.',
    ],
  ] as const) {
    it(`should state that a file is ${name}, and not count as seen`, async () => {
      const evidence = await open(content);

      await evidence.getByRole('alert').getByText(message, { exact: true }).waitFor();
      await reader.scrollTo('file.pdf', 1);
      await reader.expectStatus('file.pdf', 'Not opened yet');
      await reader.page.getByRole('button', { name: 'Download file.pdf' }).waitFor();
    });
  }
});
