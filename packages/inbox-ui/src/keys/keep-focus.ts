/** Where the focus goes when what had it is gone: parts of a page that have a name, or that take it anyway. */
const PLACES =
  '[tabindex], main, section[aria-label], section[aria-labelledby], form[aria-label], form[aria-labelledby], article[aria-label], [role="region"], [role="dialog"], [role="tabpanel"], [role="grid"], [role="tree"]';

/** Dialogs of the kit and others give the focus back by themselves, a moment later. */
const PATIENCE_MS = 50;

interface Focused {
  readonly element: HTMLElement;
  /** What it is in, from the inside out as far as its layer, as it can't be asked any more once it is gone. */
  readonly around: readonly HTMLElement[];
  /** The dialog or menu that it is in. */
  readonly layer: Element | null;
}

/** What lies over the page, and is opened from somewhere in it or in another one. */
const LAYERS = '[role="dialog"], [role="menu"], [role="listbox"]';

/**
 * Sees to it that the focus is never lost: where the element that had it is removed or disabled (a row that a filter takes
 * away, a button whose work is done, a dialog that is thrown away), it goes to where the dialog was opened, or to the nearest
 * part around it that is still there. Whoever uses keys or a screen reader goes on from there, and not from the top of the
 * page (WCAG 2.4.3, 3.2.2). What was only disabled for a while gets it back.
 *
 * @returns ends it.
 */
export function keepFocus(): () => void {
  let last: Focused | undefined;
  /** The last one, also where somebody left it by themselves: a dialog takes the focus a moment after it was opened. */
  let before: Focused | undefined;
  /** Where each was opened: a dialog may lie over another one. */
  const openers = new WeakMap<Element, Focused>();
  /** Has the focus in the place of one that is disabled. */
  let instead: { readonly of: HTMLElement; readonly place: HTMLElement } | undefined;
  /** Had the focus when it was disabled; it may be enabled again before anything is looked at. */
  let disabled: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onFocusIn = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    if (target !== instead?.place) instead = undefined;
    disabled = undefined;
    const layer = target.closest(LAYERS);
    // Coming back from what was opened in it opens nothing.
    if (
      layer !== null &&
      before !== undefined &&
      layer !== before.layer &&
      (before.layer === null || !openers.has(layer))
    )
      openers.set(layer, before);
    last = before = { element: target, around: ancestors(target, layer), layer };
  };
  const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
    // Of what is removed, too, before it is gone.
    if (relatedTarget === null)
      setTimeout(
        () =>
          target === last?.element && target !== disabled && isLost() && canHave(last.element) && (last = undefined),
      );
  };
  const check = (): void => {
    timer = undefined;
    if (instead !== undefined && document.activeElement === instead.place && canHave(instead.of)) {
      instead.of.focus({ preventScroll: true });
      return;
    }
    if (disabled !== undefined && isLost() && canHave(disabled)) {
      disabled.focus({ preventScroll: true });
      return;
    }
    // Whoever left it by themselves, by a click beside it or Escape, wants it nowhere.
    if (!isLost() || last === undefined || canHave(last.element)) return;
    const { element } = last;
    const place = [...last.around, ...opening(last), ...document.querySelectorAll<HTMLElement>('main')].find(takes);
    if (place === undefined) return;
    give(place);
    if (element.isConnected) instead = { of: element, place };
  };
  /** Where what it was in was opened, and what is around that, and so on outwards. */
  const opening = ({ layer }: Focused): readonly HTMLElement[] => {
    const found: HTMLElement[] = [];
    const seen = new Set<Element>();
    for (let at = layer; at !== null && !seen.has(at);) {
      seen.add(at);
      const opener = openers.get(at);
      if (opener !== undefined) found.push(opener.element, ...opener.around);
      at = opener?.layer ?? null;
    }
    return found;
  };
  const observer = new MutationObserver(() => {
    if (last?.element.matches(':disabled') === true) disabled = last.element;
    if (isLost() || instead !== undefined) timer ??= setTimeout(check, PATIENCE_MS);
  });
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
  };
}

/** What is disabled counts as gone: the browser takes the focus from it with its next frame, which nothing tells of. */
function isLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
}

function canHave(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}

function takes(element: HTMLElement): boolean {
  return (
    canHave(element) &&
    element.closest('[inert], [aria-hidden="true"]') === null &&
    (element.matches(PLACES) || element.tabIndex >= 0)
  );
}

function give(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex') && place.tabIndex < 0) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus({ preventScroll: true });
}

function ancestors(element: HTMLElement, layer: Element | null): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  for (
    let at = element.parentElement;
    at !== null && at !== document.body && at !== layer?.parentElement;
    at = at.parentElement
  )
    found.push(at);
  return found;
}
