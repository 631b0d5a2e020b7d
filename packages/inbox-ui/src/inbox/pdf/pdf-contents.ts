import { MAX_PAGES } from './pdf-limits.js';

/** What a PDF contains. */
export interface PdfContents {
  readonly pageCount: number;
  readonly attachmentCount: number;
  /** Number of layers that are not displayed. */
  readonly hiddenLayerCount: number;
  /** Number of annotations with texts, files or media that are not displayed, on the displayed pages. */
  readonly annotationCount: number;
  /** Whether it contains programs, which are not executed. */
  readonly hasScripts: boolean;
  /** Whether it contains a dynamic form (XFA), which is not displayed. */
  readonly hasDynamicForm: boolean;
}

/** Returns the number of pages that are displayed. */
export function countShownPages({ pageCount }: Pick<PdfContents, 'pageCount'>): number {
  return Math.min(pageCount, MAX_PAGES);
}

/** Returns the largest share of a PDF that can be shown: less than all of it if some of its content is not displayed. */
export function getMaxShare(contents: PdfContents): number {
  const { pageCount, attachmentCount, hiddenLayerCount, annotationCount, hasDynamicForm } = contents;
  const share = pageCount === 0 ? 0 : countShownPages(contents) / pageCount;
  const isIncomplete = attachmentCount + hiddenLayerCount + annotationCount > 0 || hasDynamicForm;
  return isIncomplete ? Math.min(share, 0.99) : share;
}

/** Annotations that contain more than they show on the page. */
const CONTAINERS = ['FileAttachment', 'Sound', 'Movie', 'Screen', 'RichMedia', '3D'];
/** Annotations whose text is what they show on the page, or the label of a field or link. */
const SHOWN_TEXTS = ['FreeText', 'Widget', 'Link', 'Stamp'];

/** Returns whether an annotation has a text, a file or media that are not displayed. */
export function isHiddenAnnotation(annotation: unknown): boolean {
  if (typeof annotation !== 'object' || annotation === null) return false;
  const { subtype, contentsObj, noView, hidden } = annotation as {
    readonly subtype?: unknown;
    readonly contentsObj?: { readonly str?: unknown };
    readonly noView?: unknown;
    readonly hidden?: unknown;
  };
  if (typeof subtype !== 'string' || subtype === 'Popup') return false;
  if (CONTAINERS.includes(subtype) || noView === true || hidden === true) return true;
  const text = contentsObj?.str;
  return typeof text === 'string' && text.trim() !== '' && !SHOWN_TEXTS.includes(subtype);
}
