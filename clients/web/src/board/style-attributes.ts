/**
 * cm-chessboard writes style attributes, which the page's Content-Security-Policy forbids; styles set
 * by script are allowed. This module, imported before a board is created, turns the former into the
 * latter.
 */
import { Svg } from 'cm-chessboard/src/lib/Svg.js';

const createSvg = Svg.createSvg;
const addElement = Svg.addElement;

/** Writes the style attribute of this one element by script. */
function stylesByScript<E extends SVGElement>(element: E): E {
  const setAttribute = element.setAttribute.bind(element);
  element.setAttribute = (name: string, value: string): void => {
    if (name === 'style') {
      element.style.cssText = value;
    } else {
      setAttribute(name, value);
    }
  };
  return element;
}

Svg.createSvg = (container?: Element): SVGSVGElement => stylesByScript(createSvg.call(Svg, container));

Svg.addElement = (parent: Element, name: string, attributes: Record<string, unknown> = {}): SVGElement => {
  const { style, ...others } = attributes;
  const element = addElement.call(Svg, parent, name, others);
  if (typeof style === 'string') {
    element.style.cssText = style;
  }
  return element;
};
