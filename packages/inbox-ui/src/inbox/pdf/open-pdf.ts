import {
  AnnotationMode,
  getDocument,
  PDFWorker,
  TextLayer,
  VerbosityLevel,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import Worker from 'pdfjs-dist/legacy/build/pdf.worker.mjs?worker';
import { BundledCMaps, BundledFonts } from './bundled-data.js';
import { omitLayers } from './omit-layers.js';
import { countShownPages, isHiddenAnnotation, type PdfContents } from './pdf-contents.js';
import { toPdfFailure, withinTime } from './pdf-failure.js';
import {
  choosePixelRatio,
  hasUsableSize,
  MAX_IMAGE_PIXELS,
  MAX_TEXT_ITEMS,
  MAX_WORK_MS,
  type Size,
} from './pdf-limits.js';

/** CSS pixels per point. */
const CSS_PIXELS = 96 / 72;

/** How much of the text of a page can be selected and is read by screen readers. */
export type ReadableText = 'all' | 'part' | 'none';

/** A drawn page. */
export interface DrawnPage {
  readonly canvas: HTMLCanvasElement;
  /** The text of the page, at its positions, for selection and screen readers. */
  readonly text: HTMLDivElement;
  readonly readableText: ReadableText;
  /** Whether everything was drawn. If not, the page has errors or images that cannot be read. */
  readonly isComplete: boolean;
}

/** An opened PDF. */
export interface OpenedPdf {
  readonly contents: PdfContents;
  /** Sizes of the displayed pages on paper, in CSS pixels; `undefined`: the page has an unusable size. */
  readonly pageSizes: readonly (Size | undefined)[];
  /**
   * Draws a page.
   *
   * @param number 1 for the first page
   * @param size size on the screen, in CSS pixels
   * @throws {PdfFailure} if the page cannot be drawn
   */
  draw(number: number, size: Size, signal: AbortSignal): Promise<DrawnPage>;
  close(): void;
}

/**
 * Opens a PDF in a worker. Its scripts are not executed, and its links and forms are only drawn.
 *
 * @throws {PdfFailure} if it cannot be opened
 */
export async function openPdf(bytes: Uint8Array): Promise<OpenedPdf> {
  const files: PdfFile[] = [];
  const open = async (isStrict: boolean): Promise<PDFDocumentProxy> => {
    const file = new PdfFile(bytes, isStrict);
    files.push(file);
    return withinTime(file.opening, MAX_WORK_MS);
  };
  try {
    const pdf = await open(true);
    const [contents, pageSizes] = await withinTime(readPdf(pdf), MAX_WORK_MS);
    const hasHiddenLayers = contents.hiddenLayerCount > 0;
    let tolerant: Promise<PDFDocumentProxy> | undefined;
    return {
      contents,
      pageSizes,
      draw: async (number, size, signal) => {
        try {
          return await drawPage(await pdf.getPage(number), size, { isStrict: true, hasHiddenLayers, signal });
        } catch (error) {
          if (signal.aborted || toPdfFailure(error).reason === 'slow') throw toPdfFailure(error);
          // A page with errors is drawn as far as possible.
          tolerant ??= open(false);
          return drawPage(await (await tolerant).getPage(number), size, { isStrict: false, hasHiddenLayers, signal });
        }
      },
      close: () => files.forEach((file) => file.close()),
    };
  } catch (error) {
    files.forEach((file) => file.close());
    throw toPdfFailure(error);
  }
}

/** A PDF in its own worker, which is ended with it, even if the PDF keeps it busy. */
class PdfFile {
  private readonly port = new Worker({ name: 'pdf' });
  private readonly task;

  /** @param isStrict whether errors in a page prevent its drawing */
  constructor(bytes: Uint8Array, isStrict: boolean) {
    this.task = getDocument({
      // PDF.js takes its bytes away.
      data: bytes.slice(),
      worker: new PDFWorker({ port: this.port as unknown as null, verbosity: VerbosityLevel.ERRORS }),
      CMapReaderFactory: BundledCMaps,
      StandardFontDataFactory: BundledFonts,
      useWorkerFetch: false,
      useWasm: false,
      useSystemFonts: false,
      // Glyphs are drawn as shapes, so no font of the file is installed in the page.
      disableFontFace: true,
      isEvalSupported: false,
      enableXfa: false,
      stopAtErrors: isStrict,
      maxImageSize: MAX_IMAGE_PIXELS,
      verbosity: VerbosityLevel.ERRORS,
    });
  }

  get opening(): Promise<PDFDocumentProxy> {
    return this.task.promise;
  }

  close(): void {
    this.task.destroy().catch(() => undefined);
    this.port.terminate();
  }
}

async function readPdf(pdf: PDFDocumentProxy): Promise<[PdfContents, (Size | undefined)[]]> {
  const [attachments, layers, hasScripts, metadata] = await Promise.all([
    pdf.getAttachments() as Promise<object | null>,
    pdf.getOptionalContentConfig(),
    pdf.hasJSActions(),
    pdf.getMetadata() as Promise<{ readonly info: { readonly IsXFAPresent?: boolean } }>,
  ]);
  const pageSizes: (Size | undefined)[] = [];
  let annotationCount = 0;
  for (let number = 1; number <= countShownPages({ pageCount: pdf.numPages }); number += 1) {
    // A page that cannot be read must not hide the others.
    const page = await pdf.getPage(number).catch(() => undefined);
    const viewport = page?.getViewport({ scale: CSS_PIXELS });
    pageSizes.push(viewport !== undefined && hasUsableSize(viewport) ? viewport : undefined);
    const annotations: readonly unknown[] = (await page?.getAnnotations().catch(() => undefined)) ?? [];
    annotationCount += annotations.filter(isHiddenAnnotation).length;
  }
  const contents: PdfContents = {
    pageCount: pdf.numPages,
    attachmentCount: Object.keys(attachments ?? {}).length,
    hiddenLayerCount: [...layers].filter(([, group]) => !(group as { readonly visible: boolean }).visible).length,
    annotationCount,
    hasScripts,
    hasDynamicForm: metadata.info.IsXFAPresent === true,
  };
  return [contents, pageSizes];
}

interface DrawOptions {
  readonly isStrict: boolean;
  readonly hasHiddenLayers: boolean;
  readonly signal: AbortSignal;
}

async function drawPage(
  page: PDFPageProxy,
  size: Size,
  { isStrict, hasHiddenLayers, signal }: DrawOptions,
): Promise<DrawnPage> {
  const pixelRatio = choosePixelRatio(size, window.devicePixelRatio);
  const scale = size.width / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale: scale * pixelRatio });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE, background: '#ffffff' });
  const cancel = (): void => task.cancel();
  signal.addEventListener('abort', cancel);
  try {
    await withinTime(task.promise, MAX_WORK_MS);
    const isComplete = isStrict && !hasMissingImages(page);
    return { canvas, ...(await layOutText(page, scale, hasHiddenLayers)), isComplete };
  } catch (error) {
    task.cancel();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    page.cleanup();
  }
}

/** Returns whether an image of a drawn page could not be decoded: PDF.js draws nothing in its place. */
function hasMissingImages({ objs, commonObjs }: PDFPageProxy): boolean {
  return [objs, commonObjs].some((objects) =>
    [...(objects as Iterable<[string, unknown]>)].some(([, data]) => data === null),
  );
}

/**
 * Creates the text of a page at its positions, transparent above the drawing. If a layer is hidden, the text of all
 * layers is left out, because PDF.js does not say to which layer a text belongs.
 */
async function layOutText(
  page: PDFPageProxy,
  scale: number,
  hasHiddenLayers: boolean,
): Promise<Pick<DrawnPage, 'text' | 'readableText'>> {
  const text = document.createElement('div');
  text.className = 'cs-pdf-text';
  const content = await withinTime(page.getTextContent({ includeMarkedContent: hasHiddenLayers }), MAX_WORK_MS).catch(
    () => undefined,
  );
  if (content === undefined) return { text, readableText: 'none' };
  const allItems = omitLayers(content.items);
  const items = allItems.slice(0, MAX_TEXT_ITEMS);
  await new TextLayer({
    textContentSource: { ...content, items: [...items] },
    container: text,
    viewport: page.getViewport({ scale }),
  }).render();
  return { text, readableText: items.length === 0 ? 'none' : items.length < allItems.length ? 'part' : 'all' };
}
