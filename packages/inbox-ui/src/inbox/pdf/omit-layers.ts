/** Tag of content that belongs to a layer (ISO 32000-1, section 8.11.3.2). */
const LAYER_TAG = 'OC';

/** A text, or the beginning or end of marked content. */
interface ContentItem {
  readonly type?: string;
  readonly tag?: string;
}

/** Returns the texts that belong to no layer, without the marks between them. */
export function omitLayers<T extends object>(items: readonly (T | ContentItem)[]): T[] {
  const openTags: (string | undefined)[] = [];
  const result: T[] = [];
  for (const item of items) {
    const { type, tag } = item as ContentItem;
    if (type === undefined) {
      if (!openTags.includes(LAYER_TAG)) result.push(item as T);
    } else if (type === 'endMarkedContent') openTags.pop();
    else openTags.push(tag);
  }
  return result;
}
