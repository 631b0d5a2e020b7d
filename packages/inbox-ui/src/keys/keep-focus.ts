/**
 * Elements that may receive the focus when the focused element is removed or disabled: named regions of a page and
 * elements with a tabindex.
 */
const FOCUS_TARGETS =
  '[tabindex], main, section[aria-label], section[aria-labelledby], form[aria-label], form[aria-labelledby], article[aria-label], [role="region"], [role="dialog"], [role="tabpanel"], [role="grid"], [role="tree"]';

/** Delay before the focus is moved, because dialogs may return the focus themselves a moment later. */
const CHECK_DELAY_MS = 50;

interface FocusRecord {
  readonly element: HTMLElement;
  /** Ancestors from the inside out up to the layer, recorded because a removed element has none. */
  readonly ancestors: readonly HTMLElement[];
  /** The dialog or menu around the element. */
  readonly layer: Element | null;
}

/** Selector of the layers above the page. A layer is opened from the page or from another layer. */
const LAYER_SELECTOR = '[role="dialog"], [role="menu"], [role="listbox"]';

/**
 * Keeps the focus from being lost. If the focused element is removed or disabled (a filtered row, a button whose action
 * is done, a closed dialog), the focus moves to the element that opened the dialog, or to the nearest remaining part
 * around it. Keyboard and screen reader users continue there and not at the top of the page (WCAG 2.4.3, 3.2.2). An
 * element that is enabled again gets the focus back.
 *
 * @returns a function that stops keeping the focus
 */
export function keepFocus(): () => void {
  let last: FocusRecord | undefined;
  /** The last focused element, even if the user left it: a dialog takes the focus a moment after it was opened. */
  let previous: FocusRecord | undefined;
  /** The element that opened each layer. A dialog may be opened from another dialog. */
  const openers = new WeakMap<Element, FocusRecord>();
  /** The element that has the focus in place of a disabled one. */
  let standIn: { readonly disabledElement: HTMLElement; readonly element: HTMLElement } | undefined;
  /** The focused element that was disabled; it may be enabled again before the next check. */
  let disabled: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onFocusIn = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    if (target !== standIn?.element) standIn = undefined;
    disabled = undefined;
    const layer = target.closest(LAYER_SELECTOR);
    // Returning from a layer that was opened inside this layer does not change its opener.
    if (
      layer !== null &&
      previous !== undefined &&
      layer !== previous.layer &&
      (previous.layer === null || !openers.has(layer))
    )
      openers.set(layer, previous);
    last = previous = { element: target, ancestors: findAncestors(target, layer), layer };
  };
  const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
    // The event also fires for an element that is being removed, while it is still in the document.
    if (relatedTarget === null)
      setTimeout(
        () =>
          target === last?.element &&
          target !== disabled &&
          isFocusLost() &&
          canHaveFocus(last.element) &&
          (last = undefined),
      );
  };
  const check = (): void => {
    timer = undefined;
    if (standIn !== undefined && document.activeElement === standIn.element && canHaveFocus(standIn.disabledElement)) {
      standIn.disabledElement.focus({ preventScroll: true });
      return;
    }
    if (disabled !== undefined && isFocusLost() && canHaveFocus(disabled)) {
      disabled.focus({ preventScroll: true });
      return;
    }
    // Does not move the focus if the user left the element with a click elsewhere or with Escape.
    if (!isFocusLost() || last === undefined || canHaveFocus(last.element)) return;
    const { element } = last;
    const target = [...last.ancestors, ...findOpeners(last), ...document.querySelectorAll<HTMLElement>('main')].find(
      isFocusTarget,
    );
    if (target === undefined) return;
    moveFocus(target);
    if (element.isConnected) standIn = { disabledElement: element, element: target };
  };
  /** Returns the openers of the layer and of the layers around it, with their ancestors, from the inside out. */
  const findOpeners = ({ layer }: FocusRecord): readonly HTMLElement[] => {
    const found: HTMLElement[] = [];
    const seen = new Set<Element>();
    for (let at = layer; at !== null && !seen.has(at);) {
      seen.add(at);
      const opener = openers.get(at);
      if (opener !== undefined) found.push(opener.element, ...opener.ancestors);
      at = opener?.layer ?? null;
    }
    return found;
  };
  const observer = new MutationObserver(() => {
    if (last?.element.matches(':disabled') === true) disabled = last.element;
    if (isFocusLost() || standIn !== undefined) timer ??= setTimeout(check, CHECK_DELAY_MS);
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

/**
 * Returns whether the focus is lost. A disabled element counts as lost: the browser blurs it in the next frame without
 * an event.
 */
function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
}

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}

function isFocusTarget(element: HTMLElement): boolean {
  return (
    canHaveFocus(element) &&
    element.closest('[inert], [aria-hidden="true"]') === null &&
    (element.matches(FOCUS_TARGETS) || element.tabIndex >= 0)
  );
}

function moveFocus(target: HTMLElement): void {
  if (!target.hasAttribute('tabindex') && target.tabIndex < 0) {
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: true });
}

function findAncestors(element: HTMLElement, layer: Element | null): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  for (
    let at = element.parentElement;
    at !== null && at !== document.body && at !== layer?.parentElement;
    at = at.parentElement
  )
    found.push(at);
  return found;
}
