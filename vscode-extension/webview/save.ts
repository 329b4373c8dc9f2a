/** The picture as a file: SVG that stands alone, or PNG made from it. */

/** Properties that the page's style gives to elements, and that a picture takes along. */
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "paint-order", "stroke-linejoin"];

/** The picture as an SVG document with its colours in it; `ground` is what it lies on. */
export function standalone(svg: SVGElement, ground: string): string {
  const copy = svg.cloneNode(true) as SVGElement;
  const [from, to] = [[svg, ...svg.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  from.forEach((one, index) => {
    const computed = getComputedStyle(one);
    for (const name of STYLES) to[index]?.setAttribute(name, computed.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role"]) to[index]?.removeAttribute(name);
  });
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", ground]] as const) back.setAttribute(name, value);
  copy.prepend(back);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/** A text in base64 of its UTF-8. */
export function base64(text: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

/** A picture as PNG in base64, twice as fine as on the screen. */
export async function png(svg: string, width: number, height: number): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${base64(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}
