// The small maps of the room Masks: a mask, scores, weights or a difference, tokens on both axes.
//
// A `sheet` says what one map shows:
//   name, title, kind   "mask" | "scores" | "weights" | "difference"
//   value(q, k)         the number of a cell; a mask's is 1 or 0
//   hidden(q, k)        whether the mask hides the cell
//   mark(q, k)          "opened", "closed" or null: how the cell departs from the model's own mask
//   reached             rows drawn; the others are still to come
//   most                what the ends of a diverging scale stand for
//   fill                what a hidden score became, or null
// `axes` ({rows, columns}: labels) and the layout are the same for all maps of a room, so a place
// in one is the same place in all.

const MASKS_LEAST_PITCH = 9; // CSS pixels of a cell at the normal type size
const MASKS_MOST_PITCH = 34;

/**
 * The colours of numbers with a sign, from -1 to 1.
 * @returns {{of: function(number): string, on: function(number): string}}
 */
function readSigned(root, palette) {
  const parts = divergingParts(root);
  const at = (value) => 3 * Math.round(255 * (1 + Math.max(-1, Math.min(1, value))));
  const bytes = (value) => parts.slice(at(value), at(value) + 3);
  const contrast = (value, text) => {
    const [a, b] = [luminance(bytes(value)), luminance(bytesFromHex(text))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  return {
    of: (value) => `rgb(${bytes(value).join(" ")})`,
    on: (value) => (contrast(value, palette.dark_text) > contrast(value, palette.light_text)
      ? palette.dark_text : palette.light_text),
  };
}

/** Where the cells of all maps of a room go, in a box of `width` by `height` CSS pixels. */
function layoutMasks(axes, width, height, unit, measure) {
  const type = Math.round(112 * unit) / 10;
  const widest = (labels) => labels.reduce((most, { label }) => Math.max(most, measure(label)), 8);
  const rowLabel = Math.min(widest(axes.rows), 0.3 * width, 92 * unit);
  const left = Math.round(rowLabel + 13 * unit);
  const [C, R] = [axes.columns.length, axes.rows.length];
  const across = (width - left - 2) / C;
  const flat = widest(axes.columns) + 8 * unit <= across;
  const reach = flat ? type : Math.min(widest(axes.columns), 70 * unit);
  const top = Math.round(reach + (flat ? 0.6 : 1.1) * type);
  const least = MASKS_LEAST_PITCH * unit;
  const most = MASKS_MOST_PITCH * unit;
  const pitchX = Math.floor(Math.max(least, Math.min(across, most * 1.5)));
  const pitchY = Math.floor(Math.max(least, Math.min((height - top - 2) / R, most, 1.2 * pitchX)));
  return { type, unit, rowLabel, left, top, reach, flat, pitchX, pitchY,
    width: left + C * pitchX + 2, height: top + R * pitchY + 2 };
}

/** @returns {{element: HTMLElement, update: function, drawn: function}} */
function makeMaskMap(t, hooks) {
  const title = make("span", { class: "masks-title" });
  const scale = make("span", { class: "masks-scale", "aria-hidden": "true" });
  const canvas = make("canvas", { class: "masks-canvas", tabindex: "0", role: "application",
    "aria-roledescription": t("map_role") });
  const rowMark = make("div", { class: "masks-mark", hidden: true });
  const columnMark = make("div", { class: "masks-mark", hidden: true });
  const extent = make("div", { class: "masks-extent" }, [canvas, rowMark, columnMark]);
  const box = make("div", { class: "masks-box" }, [extent]);
  const none = make("p", { class: "masks-none", hidden: true });
  const element = make("figure", { class: "masks-map" }, [
    make("figcaption", {}, [title, scale]), box, none,
  ]);
  const context = canvas.getContext("2d");
  let now = null; // {sheet, axes, layout}
  let painted = [];

  function hit(event) {
    if (!now) return null;
    const at = canvas.getBoundingClientRect();
    const { layout, axes } = now;
    const key = Math.floor((event.clientX - at.left - layout.left) / layout.pitchX);
    const query = Math.floor((event.clientY - at.top - layout.top) / layout.pitchY);
    const inside = query >= 0 && key >= 0 && query < axes.rows.length && key < axes.columns.length;
    return inside ? { query, key } : null;
  }
  canvas.addEventListener("pointermove", (event) => hooks.point(hit(event)));
  canvas.addEventListener("pointerdown", (event) => hooks.point(hit(event)));
  canvas.addEventListener("pointerleave", () => hooks.point(null));
  canvas.addEventListener("blur", () => hooks.point(null));
  canvas.addEventListener("keydown", (event) => {
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") hooks.point(null);
    const turn = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const move = turn[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const from = hooks.pointed();
    const kept = (value, count) => Math.max(0, Math.min(count - 1, value));
    const next = from ? {
      query: kept(from.query + move[0], now.axes.rows.length),
      key: kept(from.key + move[1], now.axes.columns.length),
    } : { query: 0, key: 0 };
    bringIntoView(next);
    hooks.point(next);
  });
  box.addEventListener("scroll", () => hooks.scrolled(box), { passive: true });

  function bringIntoView({ query, key }) {
    const { left, top, pitchX, pitchY } = now.layout;
    const [x, y] = [left + key * pitchX, top + query * pitchY];
    box.scrollLeft = Math.max(x + pitchX - box.clientWidth, Math.min(box.scrollLeft, x - left));
    box.scrollTop = Math.max(y + pitchY - box.clientHeight, Math.min(box.scrollTop, y - top));
  }

  function legend(sheet, palette, signed) {
    if (sheet.kind === "mask") { // one legend does for all three
      scale.replaceChildren(...(sheet.name !== "pad" ? [] : [
        maskChip(t("masks_open"), "masks-open"), maskChip(t("masks_hidden"), "masks-hatch")]));
      return;
    }
    if (sheet.fill) { // the colours are those of the map before
      scale.replaceChildren(maskChip(sheet.fill, "masks-hatch"));
      return;
    }
    const [low, high] = sheet.kind === "weights" ? ["0", "1"]
      : sheet.kind === "scores" ? [oneDigit(-sheet.most), oneDigit(sheet.most)]
        : [signedNumber(-sheet.most), signedNumber(sheet.most)];
    const bar = make("i", { class: "masks-bar" });
    const stops = Array.from({ length: 9 }, (_, i) => (sheet.kind === "weights"
      ? palette.of(i / 8) : signed.of(i / 4 - 1)));
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    scale.replaceChildren(make("span", { class: "masks-chip" },
      [make("span", { text: low }), bar, make("span", { text: high })]));
  }

  return {
    element,
    box,
    /** `why` stands in the place of a map that there is not. */
    update(sheet, axes, layout, look, why = null) {
      setText(title, sheet.title);
      box.hidden = why !== null;
      none.hidden = why === null;
      setText(none, why ?? "");
      scale.hidden = why !== null;
      if (why !== null) {
        now = { sheet, axes, layout, why };
        painted = [];
        return;
      }
      const { pointed } = look;
      now = { sheet, axes, layout };
      const { left, top, pitchX, pitchY } = layout;
      const ratio = window.devicePixelRatio || 1;
      const key = [sheet, axes, look.palette, ratio, ...Object.values(layout)];
      if (key.length !== painted.length || key.some((part, i) => part !== painted[i])) {
        painted = key;
        extent.style.width = `${layout.width}px`;
        extent.style.height = `${layout.height}px`;
        sizedContext(canvas, layout.width, layout.height);
        paintMaskMap(context, sheet, axes, layout, look);
        legend(sheet, look.palette, look.signed);
        setTrait(canvas, "aria-label", t("masks_map_label",
          { title: sheet.title, rows: axes.rows.length, columns: axes.columns.length }));
      }
      const place = (mark, x, y, width, height) => {
        mark.style.transform = `translate(${x}px, ${y}px)`;
        mark.style.width = `${width}px`;
        mark.style.height = `${height}px`;
      };
      rowMark.hidden = pointed === null;
      columnMark.hidden = pointed === null;
      if (!pointed) return;
      place(rowMark, 0, top + pointed.query * pitchY, layout.width - 1, pitchY);
      place(columnMark, left + pointed.key * pitchX, 0, pitchX, layout.height - 1);
    },
    drawn() {
      if (!now || element.hidden) return null;
      const { sheet, axes, layout, why } = now;
      if (why) return { name: sheet.name, title: sheet.title, none: why };
      const cells = (of) => axes.rows.map((_, q) => axes.columns.map((_, k) => of(q, k)));
      return {
        name: sheet.name,
        title: sheet.title,
        row_labels: axes.rows.map(({ label }) => label),
        column_labels: axes.columns.map(({ label }) => label),
        row_kinds: axes.rows.map(({ kind }) => kind),
        column_kinds: axes.columns.map(({ kind }) => kind),
        values: cells((q, k) => (q < sheet.reached ? finiteOrText(sheet.value(q, k)) : null)),
        hidden: cells((q, k) => sheet.hidden(q, k)),
        marks: cells((q, k) => sheet.mark(q, k)),
        reached: sheet.reached,
        most: sheet.most ?? null,
        first_cell: [layout.left, layout.top, layout.pitchX, layout.pitchY],
      };
    },
  };
}

/** A small square of the maps and what it means. */
function maskChip(text, kind) {
  return make("span", { class: "masks-chip" }, [
    make("i", { class: kind }), make("span", { text })]);
}

/** JSON has no minus infinity. */
function finiteOrText(value) {
  return Number.isFinite(value) ? value : "−∞";
}

/** A score in a cell: one digit after the point, and no minus before what rounds to zero. */
function oneDigit(value) {
  return (Math.abs(value) < 0.05 ? 0 : value).toFixed(1).replace("-", "−");
}

/** A number with its sign, short: a true minus, an exponent where it is very small or large. */
function signedNumber(value) {
  if (value === -Infinity) return "−∞";
  if (value === -1e9) return "−1e9";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 0.001 || size >= 10000) ? size.toExponential(1)
    : size.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size < 1 ? 3 : 2);
  const plain = text.replace("e-", "e−").replace("e+", "e");
  return value < 0 ? `−${plain}` : plain;
}

function paintMaskMap(context, sheet, axes, layout, look) {
  const { left, top, width, height } = layout;
  context.clearRect(0, 0, width, height);
  context.save();
  context.translate(left, top);
  paintMaskCells(context, sheet, axes, layout, look);
  paintMaskFrame(context, sheet, axes, layout, look.palette);
  context.restore();
  paintMaskLabels(context, axes, layout, look.palette);
}

function paintMaskCells(context, sheet, axes, layout, { palette, signed, hatch }) {
  const { pitchX, pitchY, type } = layout;
  const C = axes.columns.length;
  const wide = sheet.kind === "mask" ? 0.9 : 2.35;
  const numbers = pitchX >= wide * type && pitchY >= 1.1 * type;
  const gap = Math.min(pitchX, pitchY) >= 12 ? 1 : 0.5;
  context.font = `${Math.round((sheet.kind === "mask" ? 0.86 : 0.8) * type)}px ${palette.sans}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.direction = "ltr";
  for (let query = 0; query < sheet.reached; query += 1) {
    for (let key = 0; key < C; key += 1) {
      const [x, y] = [key * pitchX, query * pitchY];
      const hidden = sheet.hidden(query, key);
      const value = sheet.value(query, key);
      const colour = sheet.kind === "weights" ? palette.of(value)
        : sheet.kind === "mask" ? palette.of(0.14) : signed.of(value / (sheet.most || 1));
      const coloured = !hidden || (sheet.kind === "weights" && value > 0);
      context.fillStyle = coloured ? colour : palette.panel;
      context.fillRect(x, y, pitchX - gap, pitchY - gap);
      if (hidden) {
        context.fillStyle = hatch;
        context.fillRect(x, y, pitchX - gap, pitchY - gap);
      }
      const mark = sheet.mark(query, key);
      if (mark) paintDeparture(context, palette, mark, x, y, pitchX - gap, pitchY - gap);
      else if (sheet.kind === "mask" && numbers) {
        context.fillStyle = hidden ? palette.quiet : palette.on(0.14);
        context.fillText(hidden ? "0" : "1", x + pitchX / 2, y + 0.54 * pitchY);
      } else if (numbers && !hidden && (sheet.kind !== "weights" || value >= 0.095)) {
        if (sheet.kind === "difference") continue;
        const text = sheet.kind === "weights" ? value.toFixed(2).replace(/^0/, "")
          : oneDigit(value);
        context.fillStyle = sheet.kind === "weights" ? palette.on(value)
          : signed.on(value / (sheet.most || 1));
        context.fillText(text, x + pitchX / 2, y + 0.54 * pitchY);
      }
    }
  }
}

/** A dot where a cell is open that should be hidden, a cross where it is the other way round. */
function paintDeparture(context, palette, mark, x, y, width, height) {
  const size = Math.max(2, Math.min(width, height) * 0.2);
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  context.beginPath();
  if (mark === "opened") {
    context.arc(middleX, middleY, size, 0, 2 * Math.PI);
    context.fillStyle = palette.accent;
    context.fill();
    context.strokeStyle = palette.panel;
    context.lineWidth = 1;
    context.stroke();
    return;
  }
  context.strokeStyle = palette.accent;
  context.lineWidth = Math.max(1.2, size * 0.45);
  for (const turn of [-1, 1]) {
    context.moveTo(middleX - size, middleY - turn * size);
    context.lineTo(middleX + size, middleY + turn * size);
  }
  context.stroke();
}

function paintMaskFrame(context, sheet, axes, layout, palette) {
  const { pitchX, pitchY } = layout;
  const [C, R] = [axes.columns.length, axes.rows.length];
  context.lineWidth = 1;
  context.strokeStyle = palette.hair;
  context.strokeRect(-0.5, -0.5, C * pitchX + 1, R * pitchY + 1);
  context.strokeStyle = palette.quiet;
  context.setLineDash([1.5, 3]);
  axes.columns.forEach(({ kind }, key) => {
    if (kind === "pad") context.strokeRect(key * pitchX + 0.5, 0.5, pitchX - 1, R * pitchY - 1);
  });
  axes.rows.forEach(({ kind }, query) => {
    if (kind === "pad") context.strokeRect(0.5, query * pitchY + 0.5, C * pitchX - 1, pitchY - 1);
  });
  context.setLineDash([]);
  // A row that may read nothing is framed: it is easily taken for one that reads evenly.
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  for (let query = 0; query < R && sheet.kind !== "difference"; query += 1) {
    if (axes.columns.some((_, key) => !sheet.hidden(query, key))) continue;
    context.strokeRect(0, query * pitchY, C * pitchX - 0.5, pitchY - 0.5);
  }
  if (sheet.kind === "weights" && sheet.reached < R && sheet.reached > 0) {
    context.lineWidth = 2;
    context.strokeRect(-0.5, (sheet.reached - 1) * pitchY - 0.5, C * pitchX + 1, pitchY + 1);
  }
}

function paintMaskLabels(context, axes, layout, palette) {
  const { left, top, pitchX, pitchY, type, unit, flat } = layout;
  context.textBaseline = "middle";
  const fontFor = (pitch) => `${Math.min(type, 0.96 * pitch).toFixed(1)}px ${palette.mono}`;
  axes.rows.forEach(({ label, kind }, query) => {
    const font = fontFor(pitchY);
    const text = elided(context, font, label, layout.rowLabel);
    const width = widthOf(context, font, text);
    const y = top + (query + 0.5) * pitchY;
    const height = Math.min(pitchY - 1, 1.45 * type);
    const right = left - 7 * unit;
    paintTag(context, palette, kind, false, right - width - 3, y - height / 2, width + 6, height);
    context.font = font;
    context.direction = isRightToLeft(label) ? "rtl" : "ltr";
    context.textAlign = "right";
    context.fillStyle = kind === "pad" ? palette.quiet : palette.ink;
    context.fillText(text, right, y + 0.5);
  });
  axes.columns.forEach(({ label, kind }, key) => {
    const font = flat ? fontFor(99) : fontFor(pitchX);
    const text = elided(context, font, label, flat ? pitchX : layout.reach);
    const width = widthOf(context, font, text);
    const height = flat ? 1.45 * type : Math.min(pitchX - 1, 1.45 * type);
    context.save();
    context.translate(left + (key + 0.5) * pitchX, top - (flat ? 0.85 * type : 6 * unit));
    if (!flat) context.rotate(-Math.PI / 2);
    const from = flat ? -width / 2 : 0;
    paintTag(context, palette, kind, false, from - 3, -height / 2, width + 6, height);
    context.font = font;
    context.direction = isRightToLeft(label) ? "rtl" : "ltr";
    context.textAlign = "left";
    context.fillStyle = kind === "pad" ? palette.quiet : palette.ink;
    context.fillText(text, from, 0.5);
    context.restore();
  });
}
