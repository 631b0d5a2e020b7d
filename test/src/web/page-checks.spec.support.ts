import type { Page } from 'playwright-core';

/** 1280 pixels at 400 % (WCAG 2.2, 1.4.10). */
const ZOOMED_VIEWPORT = Object.freeze({ width: 320, height: 256 });
/** Elements that may be wider than the window, as they need two dimensions: tables, diagrams, code and value trees. */
const WIDE_CONTENT_SELECTOR =
  'table, [role="grid"], .mantine-Table-scrollContainer, .mantine-Tabs-list, .cs-diagram, .djs-container, pre, code, textarea, [role="tree"], .cs-code, .cs-code-lines';

/**
 * Returns the animations that run despite reduced motion (WCAG 2.2, 2.3.3); spinners that show progress are allowed.
 */
export function findAnimations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasDuration = (durations: string): boolean =>
      durations.split(',').some((each) => Number.parseFloat(each) > 0);
    return [...document.querySelectorAll('body *')].flatMap((element) => {
      const { animationName, animationDuration, transitionDuration, transitionProperty } = getComputedStyle(element);
      if (element.closest('.mantine-Loader-root') !== null) return [];
      const isMoving =
        (animationName !== 'none' && hasDuration(animationDuration)) ||
        (transitionProperty !== 'none' && hasDuration(transitionDuration));
      return isMoving
        ? [`moves: ${element.tagName} ${element.getAttribute('class') ?? ''} ${animationName} ${transitionProperty}`]
        : [];
    });
  });
}

/**
 * Returns elements that get the keyboard focus without a visible sign (WCAG 2.2, 2.4.7), or while they are completely
 * covered (2.4.11). In an open dialog or menu, only its content counts.
 */
export async function findFocusErrors(page: Page): Promise<string[]> {
  // After this key press, the browser treats focus changes as caused by the keyboard.
  await page.keyboard.press('Shift');
  return page.evaluate(async () => {
    const modals = [...document.querySelectorAll('[aria-modal="true"], [role="menu"]')].filter((each) =>
      each.checkVisibility(),
    );
    const focusContainer: ParentNode = modals.at(-1) ?? document;
    const focusableSelector = 'a[href], button, input, select, textarea, [tabindex], summary, [contenteditable="true"]';
    const focusableElements = [...focusContainer.querySelectorAll<HTMLElement>(focusableSelector)].filter((element) => {
      if (
        element.tabIndex < 0 ||
        element.matches(':disabled') ||
        !element.checkVisibility({ visibilityProperty: true }) ||
        element.closest('[inert], [aria-hidden="true"], .bjs-powered-by') !== null
      )
        return false;
      return !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked);
    });
    const appearance = (element: Element, pseudo?: string): string => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, textDecorationLine } =
        getComputedStyle(element, pseudo);
      return [
        outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth} ${outlineColor}`,
        boxShadow,
        borderColor,
        backgroundColor,
        textDecorationLine,
      ].join('|');
    };
    /**
     * Returns the appearance of the element and of elements that show its state, because switches and check boxes have
     * hidden inputs.
     */
    const focusAppearance = (element: HTMLElement): string => {
      const relatedElements = [
        element,
        element.parentElement,
        element.nextElementSibling,
        element.closest('label'),
        ...((element as HTMLInputElement).labels ?? []),
        ...(element.parentElement?.parentElement?.children ?? []),
        // The border of a field for several names is around the names and the input.
        element instanceof HTMLInputElement ? (element.parentElement?.parentElement ?? null) : null,
      ];
      return relatedElements
        .map((each) =>
          each === null ? '' : `${appearance(each)} ${appearance(each, '::before')} ${appearance(each, '::after')}`,
        )
        .join('\n');
    };
    const describeElement = (element: HTMLElement): string =>
      `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40) ?? ''} .${element.getAttribute('class') ?? ''}`;
    const isVisible = (element: HTMLElement): boolean => {
      const visibleElement =
        element.getBoundingClientRect().width < 6 || getComputedStyle(element).opacity === '0'
          ? (element.closest('label') ?? (element as HTMLInputElement).labels?.[0] ?? element.parentElement ?? element)
          : element;
      const { left, top, right, bottom } = visibleElement.getBoundingClientRect();
      let [x0, x1, y0, y1] = [
        Math.max(0, left),
        Math.min(innerWidth, right),
        Math.max(0, top),
        Math.min(innerHeight, bottom),
      ];
      for (
        let scroller = visibleElement.parentElement;
        scroller !== null && scroller !== document.body;
        scroller = scroller.parentElement
      ) {
        if (getComputedStyle(scroller).overflowY === 'visible') continue;
        const edge = scroller.getBoundingClientRect();
        [x0, x1, y0, y1] = [
          Math.max(x0, edge.left),
          Math.min(x1, edge.right),
          Math.max(y0, edge.top),
          Math.min(y1, edge.bottom),
        ];
      }
      if (x1 <= x0 || y1 <= y0) return false;
      for (const fx of [0.5, 0.05, 0.95, 0.25, 0.75]) {
        for (const fy of [0.5, 0.1, 0.9, 0.3, 0.7, 0.02]) {
          const topElement = document.elementFromPoint(x0 + (x1 - x0) * fx, y0 + (y1 - y0) * fy);
          if (
            topElement !== null &&
            (visibleElement.contains(topElement) ||
              (topElement.contains(element) &&
                topElement !== document.body &&
                topElement !== document.documentElement &&
                visibleElement === element &&
                getComputedStyle(element).pointerEvents === 'none'))
          )
            return true;
        }
      }
      return false;
    };
    const faults: string[] = [];
    const previouslyFocused = document.activeElement as HTMLElement | null;
    for (const element of focusableElements) {
      if (!element.isConnected) continue;
      previouslyFocused?.blur();
      (document.activeElement as HTMLElement | null)?.blur();
      const unfocusedAppearance = focusAppearance(element);
      element.focus();
      if (document.activeElement !== element) continue;
      if (focusAppearance(element) === unfocusedAppearance) faults.push(`focus not seen: ${describeElement(element)}`);
      // A covering element may close when it loses the focus, as lists of choices do after the next frame.
      for (let frames = 0; frames < 3 && !isVisible(element); frames += 1) await new Promise(requestAnimationFrame);
      if (!isVisible(element)) faults.push(`focus hidden: ${describeElement(element)}`);
    }
    previouslyFocused?.focus();
    return faults;
  });
}

/** Runs an action in a window as small as at 400 % zoom. */
export async function withZoom<T>(page: Page, inspect: () => Promise<T>): Promise<T> {
  const size = page.viewportSize();
  await page.setViewportSize(ZOOMED_VIEWPORT);
  // Waits for elements that measure themselves in the next frames.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      ),
  );
  const inspectionResult = await inspect();
  if (size !== null) await page.setViewportSize(size);
  return inspectionResult;
}

/** Returns elements that cannot be read or reached at 400 % without scrolling in two dimensions (WCAG 2.2, 1.4.10). */
export function findReflowErrors(page: Page): Promise<string[]> {
  return page.evaluate((wideSelector) => {
    const found: string[] = [];
    const describeElement = (element: Element): string =>
      `${element.tagName} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)} .${element.getAttribute('class') ?? ''}`;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`reflow: the page is ${scrollWidth} wide`);
    const modal = [...document.querySelectorAll('[aria-modal="true"]')].filter((each) => each.checkVisibility()).at(-1);
    for (const element of (modal ?? document.body).querySelectorAll<HTMLElement>('*')) {
      if (
        !element.checkVisibility({ visibilityProperty: true }) ||
        element.closest(wideSelector) !== null ||
        element.closest('svg, [aria-hidden="true"], .bjs-powered-by') !== null
      )
        continue;
      const { overflowX } = getComputedStyle(element);
      if (
        (overflowX === 'auto' || overflowX === 'scroll') &&
        element.scrollWidth > element.clientWidth + 1 &&
        element.querySelector(wideSelector) === null
      )
        found.push(
          `reflow: scrolls sideways: ${describeElement(element)} ${element.scrollWidth} in ${element.clientWidth}`,
        );
      const { left, right, width, height } = element.getBoundingClientRect();
      if (
        width < 2 ||
        height < 2 ||
        !element.matches(
          'button, a[href], input, select, textarea, [role="tab"], [role="menuitem"], h1, h2, h3, label, p, dt, dd',
        )
      )
        continue;
      if (right > innerWidth + 1 || left < -1)
        found.push(`reflow: out of sight: ${describeElement(element)} ${Math.round(left)} to ${Math.round(right)}`);
    }
    return found;
  }, WIDE_CONTENT_SELECTOR);
}

/**
 * Returns an error for each notification that still covers the focused element after three frames (WCAG 2.2, 2.4.11).
 */
export function findCoveredFocus(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return ['nothing has the focus'];
    const focusedRect = focused.getBoundingClientRect();
    return [...document.querySelectorAll('.mantine-Notification-root')].flatMap((note) => {
      const noteRect = note.getBoundingClientRect();
      const isCovering =
        focusedRect.left < noteRect.right &&
        noteRect.left < focusedRect.right &&
        focusedRect.top < noteRect.bottom &&
        noteRect.top < focusedRect.bottom;
      return isCovering ? [`covered: ${focused.textContent ?? focused.tagName}`] : [];
    });
  });
}

/** Returns violations of the bpmn.io licence: its linked watermark must be complete and uncovered on each diagram. */
export function findWatermarkErrors(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const diagrams = [...document.querySelectorAll('.cs-diagram')];
    const faults = diagrams.flatMap((diagram) => {
      const mark = diagram.querySelector<HTMLAnchorElement>('a.bjs-powered-by');
      if (mark === null) return ['watermark: none'];
      mark.scrollIntoView({ block: 'nearest' });
      const found: string[] = /^https?:\/\/bpmn\.io\//.test(mark.href) ? [] : [`watermark: leads to ${mark.href}`];
      const [{ left, top, right, bottom, width, height }, diagramRect] = [
        mark.getBoundingClientRect(),
        diagram.getBoundingClientRect(),
      ];
      for (let each: Element | null = mark; each !== null; each = each.parentElement)
        if (Number(getComputedStyle(each).opacity) < 1) found.push(`watermark: seen through ${each.className}`);
      if (!mark.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || width < 40 || height < 15)
        found.push(`watermark: ${width} by ${height}`);
      if (left < diagramRect.left || top < diagramRect.top || right > diagramRect.right || bottom > diagramRect.bottom)
        found.push('watermark: cut off');
      for (const fx of [0.02, 0.25, 0.5, 0.75, 0.98]) {
        for (const fy of [0.05, 0.5, 0.95]) {
          const topElement = document.elementFromPoint(left + width * fx, top + height * fy);
          if (topElement === null || !mark.contains(topElement))
            found.push(`watermark: beneath ${topElement?.outerHTML.slice(0, 80)}`);
        }
      }
      return found;
    });
    return diagrams.length === 0 ? ['watermark: no diagram'] : faults;
  });
}
