import assert from "node:assert/strict";
import { test } from "node:test";

import { colourOf } from "../../../viz_app/stage/draw/colours.js";
import { escaped, fontTraits, Pen, tag } from "../../../viz_app/stage/picture/pen.js";

/** As much of a browser's matrix as a pen needs. */
class Matrix {
  constructor([a, b, c, d, e, f] = [1, 0, 0, 1, 0, 0]) {
    Object.assign(this, { a, b, c, d, e, f });
  }

  static fromMatrix({ a, b, c, d, e, f }) { return new Matrix([a, b, c, d, e, f]); }

  get isIdentity() { return [this.a, this.b, this.c, this.d, this.e, this.f].join() === "1,0,0,1,0,0"; }

  translateSelf(x, y) {
    this.e += this.a * x + this.c * y;
    this.f += this.b * x + this.d * y;
  }
}
globalThis.DOMMatrix = Matrix;

/** A pen, and the clips that it asked for. */
function penHere() {
  const clips = [];
  const measure = { font: "", textBaseline: "alphabetic",
    measureText() { return { fontBoundingBoxAscent: this.textBaseline === "middle" ? 6 : 9, width: 10 }; } };
  return { clips, pen: new Pen((path) => `c${clips.push(path) - 1}`, measure, "#fff") };
}

test("what is painted is what is written, in its order and place", () => {
  const { pen } = penHere();
  pen.save();
  pen.translate(10, 20);
  pen.fillStyle = "rgb(1 2 3)";
  pen.fillRect(0, 0, 5, -4);
  pen.restore();
  pen.strokeStyle = "#abcdef";
  pen.lineWidth = 2;
  pen.setLineDash([3, 2]);
  pen.strokeRect(1, 1, 8, 8);
  assert.deepEqual(pen.drawn, [
    '<rect x="0" y="-4" width="5" height="4" fill="#010203" transform="translate(10 20)"/>',
    '<rect x="1" y="1" width="8" height="8" fill="none" stroke="#abcdef" stroke-width="2" stroke-dasharray="3 2"/>',
  ]);
});

test("a token is text, whatever is in it", () => {
  const { pen } = penHere();
  pen.font = "600 12.0px ui-monospace,\n    \"SF Mono\", monospace";
  pen.textBaseline = "middle";
  pen.fillText("</script><b>&]]>\u0007\ud800", 3, 10);
  const [text] = pen.drawn;
  assert.match(text, />&lt;\/script&gt;&lt;b&gt;&amp;\]\]&gt;\ufffd\ufffd<\/text>$/);
  assert.match(text, / y="13" /); // 3 below the middle
  assert.match(text, /font-family="ui-monospace, &quot;SF Mono&quot;, monospace"/);
  assert.equal(escaped('"<>&'), "&quot;&lt;&gt;&amp;");
  assert.equal(tag("a", { b: '"', c: undefined, d: 0.126 }), '<a b="&quot;" d="0.13"/>');
});

test("clips are shared, hatching is lines, and what is cleared is covered", () => {
  const { pen, clips } = penHere();
  pen.beginPath();
  pen.rect(0, 0, 4, 4);
  pen.clip();
  pen.fillStyle = pen.below("#123456");
  pen.fillRect(0, 0, 12, 6);
  assert.equal(clips.length, 1);
  assert.match(pen.drawn[0], /^<g clip-path="url\(#c0\)"><path d="M.*L.*" fill="none" stroke="#123456"/);
  assert.ok(pen.hasBelow);
  pen.clearRect(0, 0, 2, 2);
  assert.match(pen.drawn[1], /fill="#fff"/);
});

test("a disc and a round box are closed paths without numbers that are none", () => {
  const { pen } = penHere();
  pen.beginPath();
  pen.arc(5, 5, 2, 0, 7);
  pen.roundRect(0, 0, 10, 4, 3);
  pen.fill();
  assert.ok(!pen.drawn[0].includes("NaN"));
  assert.equal(pen.drawn[0].match(/z/g)?.length, 2);
});

test("colours are written as every reader knows them", () => {
  assert.deepEqual(colourOf("rgba(255, 0, 10, 0.5)"), { hex: "#ff000a", alpha: 0.5 });
  assert.deepEqual(colourOf("color(srgb 1 0.5 0)"), { hex: "#ff8000", alpha: 1 });
  assert.deepEqual(colourOf("oklab(1 0 0)"), { hex: "#ffffff", alpha: 1 });
  assert.equal(colourOf("transparent").alpha, 0);
});

test("a font is said by its parts", () => {
  assert.deepEqual(fontTraits("italic 650 13.5px a, b"),
    { "font-family": "a, b", "font-size": 13.5, "font-weight": "650", "font-style": "italic" });
  assert.equal(fontTraits("400 9px c")["font-weight"], undefined);
});
