import type { Page } from 'playwright-core';

/** Text that a user can read on the screen without any further key. */
export interface VisibleText {
  /** Id of the displayed approval, or the text of the displayed question. */
  readonly item: string | undefined;
  /** Lines of the displayed item and of its row. */
  readonly lines: readonly string[];
  /** Values of named fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the displayed item is scrolled to its end. */
  readonly isAtEnd: boolean;
}

/** Reads the displayed item and its row, without the text that is scrolled out of view or cut off. */
export function readScreen(page: Page): Promise<VisibleText> {
  return page.evaluate(() => {
    const clips = (element: Element): boolean => getComputedStyle(element).overflow !== 'visible';
    const isWithin = (inner: DOMRect, { top, right, bottom, left }: DOMRect): boolean =>
      inner.top >= top - 1 && inner.bottom <= bottom + 1 && inner.left >= left - 1 && inner.right <= right + 1;
    const isVisible = (node: Node): boolean => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const rectangles = [...range.getClientRects()];
      if (rectangles.length === 0) return false;
      const frames = [new DOMRect(0, 0, innerWidth, innerHeight)];
      for (let parent = node.parentElement; parent !== null; parent = parent.parentElement)
        if (clips(parent)) frames.push(parent.getBoundingClientRect());
      return rectangles.every((rectangle) => frames.every((frame) => isWithin(rectangle, frame)));
    };
    const article = document.querySelector<HTMLElement>('article[data-approval], article.cs-question');
    const lines: string[] = [];
    const fields: Record<string, string> = {};
    for (const root of [article, document.querySelector('.cs-inbox-item[aria-current="true"]')]) {
      if (root === null) continue;
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        if (isVisible(node)) lines.push(node.textContent ?? '');
      for (const name of root.querySelectorAll('dt')) {
        const value = name.nextElementSibling;
        if (value !== null && isVisible(name) && isVisible(value))
          fields[name.textContent ?? ''] ??= value.textContent ?? '';
      }
    }
    const body = article?.querySelector('.cs-decision-body') ?? null;
    return {
      item: article?.dataset['approval'] ?? article?.querySelector('.cs-question-text')?.textContent ?? undefined,
      lines,
      fields,
      isAtEnd: body === null || body.scrollTop + body.clientHeight >= body.scrollHeight - 1,
    };
  });
}
