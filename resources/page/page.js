"use strict";
// Draws the numbers in #posenc-content. What is shown is a function of `content`, `cursor` and the reader's theme.

const content = JSON.parse(document.getElementById("posenc-content").textContent);
const { table, columns, axis, tokens, style } = content;
const KINDS = { f4: Float32Array, f8: Float64Array, u1: Uint8Array, i4: Int32Array };
const ROOM = { left: 62, right: 14, top: 20, bottom: 34 };
const AMPLITUDE = 0.42;
const READABLE = 0.75; // the share of their width to which letters are squeezed
const cursor = { position: content.cursor[0], column: content.cursor[1], held: false };
const dark = matchMedia("(prefers-color-scheme: dark)");
const figures = [];

const byId = (id) => document.getElementById(id);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const colour = (name) => style[theme()][name];
const theme = () => (dark.matches ? "dark" : "light");
const trueMinus = (text) => text.replace(/-/g, "−");
const spoken = (value) => (Number.isFinite(value) ? trueMinus(String(Number(value.toPrecision(8)))) : "no number");
const short = (value) => trueMinus(Math.abs(value) >= 1e6 ? value.toExponential(0).replace("e+", "e") : value.toLocaleString("en", { maximumFractionDigits: 6 }));

// A number of a legend, to six digits.
function told(value) {
  if (value === Infinity) return "∞";
  const isPlain = Math.abs(value) >= 1e-4 && Math.abs(value) < 1e9;
  return trueMinus(isPlain ? value.toLocaleString("en", { maximumSignificantDigits: 6 }) : String(Number(value.toPrecision(6))));
}

function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed.data), (letter) => letter.charCodeAt(0));
  return new KINDS[packed.type](bytes.buffer);
}

const values = unpacked(table.values), levels = unpacked(table.levels);
const pairs = columns.pairs && unpacked(columns.pairs);

function row(position) { return clamp(Math.floor((position - axis.first) * table.rows / axis.count), 0, table.rows - 1); }
function place(column) { return clamp(Math.floor((column - columns.first) * table.columns / columns.count), 0, table.columns - 1); }
// The first position and the first column of a cell; a cell has those that are whole numbers between its ends.
function positionOf(cell) { return axis.first + Math.ceil(cell * axis.count / table.rows); }
function columnOf(cell) { return columns.first + Math.ceil(cell * columns.count / table.columns); }
function exactAt(position, column) { return table.isMean ? content.derivations.exact[`${position},${column}`] : meanAt(position, column); }
function meanAt(position, column) { return values[row(position) * table.columns + place(column)]; }
function valueAt(position, column) { return exactAt(position, column) ?? meanAt(position, column); }
function tokenAt(position) { return tokens.find((each) => each.position === position); }
function columnWords(column) { return columns.words[column - columns.first] ?? `${columns.noun} ${column}`; }

function words() {
  const parts = [`${axis.noun} ${short(cursor.position)}`];
  const token = tokenAt(cursor.position);
  if (token) parts.push(`“${token.text}”`);
  parts.push(columnWords(cursor.column));
  if (exactAt(cursor.position, cursor.column) === undefined) parts.push("mean of a part");
  return parts.join(" · ");
}

// A figure: a canvas in a card, drawn anew whenever something changes.
class Figure {
  constructor(name, title, height) {
    this.height = height;
    this.section = document.createElement("section");
    this.section.id = name;
    const heading = document.createElement("h2");
    heading.textContent = title;
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${title}. Arrow keys move the cursor.`);
    this.canvas.setAttribute("aria-describedby", "readout");
    this.section.append(heading, this.canvas);
    byId("figures").append(this.section);
    this.canvas.addEventListener("pointermove", (event) => { if (!cursor.held) this.pointed(event); });
    this.canvas.addEventListener("pointerdown", (event) => {
      const before = `${cursor.position},${cursor.column}`;
      this.pointed(event);
      cursor.held = !(cursor.held && before === `${cursor.position},${cursor.column}`);
      show();
    });
    this.canvas.addEventListener("keydown", (event) => this.keyed(event));
    figures.push(this);
  }

  get area() {
    return { x: ROOM.left, y: ROOM.top, width: Math.max(20, this.width - ROOM.left - ROOM.right), height: this.height - ROOM.top - ROOM.bottom };
  }

  paint() {
    const ratio = devicePixelRatio;
    this.width = Math.max(120, this.canvas.clientWidth);
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.pen = this.canvas.getContext("2d");
    this.pen.scale(ratio, ratio);
    this.pen.fillStyle = colour("paper");
    this.pen.fillRect(0, 0, this.width, this.height);
    this.pen.font = "11px system-ui, sans-serif";
    this.draw(this.area);
  }

  text(words, x, y, { align = "left", ink = "muted", widest } = {}) {
    this.pen.fillStyle = style[theme()][ink] ?? ink;
    this.pen.textAlign = align;
    this.pen.fillText(words, x, y, widest);
  }

  /** Whether letters stay readable where the words are squeezed into this width. */
  fits(words, widest) {
    return READABLE * this.pen.measureText(words).width <= widest;
  }

  shortened(words, widest) {
    if (this.fits(words, widest)) return words;
    const letters = [...words];
    while (letters.length > 1 && !this.fits(`${letters.join("")}…`, widest)) letters.pop();
    return `${letters.join("")}…`;
  }

  line(points, ink, width = 1, dash = []) {
    this.pen.beginPath();
    let drawing = false;
    for (const [x, y] of points) {
      if (!Number.isFinite(x) || !Number.isFinite(y)) { drawing = false; continue; }
      if (drawing) this.pen.lineTo(x, y); else this.pen.moveTo(x, y);
      drawing = true;
    }
    Object.assign(this.pen, { strokeStyle: style[theme()][ink] ?? ink, lineWidth: width, lineJoin: "round" });
    this.pen.setLineDash(dash);
    this.pen.stroke();
    this.pen.setLineDash([]);
  }

  frame({ x, y, width, height }, ink = "border") {
    Object.assign(this.pen, { strokeStyle: style[theme()][ink], lineWidth: ink === "border" ? 1 : 2 });
    this.pen.strokeRect(x, y, width, height);
  }

  clipped(area, draw) {
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(area.x, area.y, area.width, area.height);
    this.pen.clip();
    draw();
    this.pen.restore();
  }

  pointed(event) {
    const box = this.canvas.getBoundingClientRect(), area = this.area;
    const across = clamp((event.clientX - box.left - area.x) / area.width, 0, 1 - 1e-9);
    const down = clamp((event.clientY - box.top - area.y) / area.height, 0, 1 - 1e-9);
    const found = this.at(across, down);
    if (found) moveTo(...found);
  }

  keyed(event) { moved(event, this.turned); }
}

function ticks(first, last, most) {
  const span = last - first;
  if (!(span > 0) || !Number.isFinite(span)) return [first];
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => span / each <= most);
  const found = [];
  for (let k = Math.ceil(first / step); k * step <= last + step * 1e-9; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

class Waves extends Figure {
  constructor(record) {
    super("waves", "Waves", Math.max(200, Math.min(560, 24 * record.columns.length + ROOM.top + ROOM.bottom)));
    this.record = record;
    this.turned = true;
    this.section.className = "wide";
    const unpack = (group, ...names) => Object.assign({}, group, ...names.map((name) => ({ [name]: unpacked(group[name]) })));
    this.lines = record.lines.map((group) => unpack(group, "x", "y"));
    this.bands = record.bands.map((group) => unpack(group, "x", "low", "high"));
  }

  get area() {
    const area = super.area, left = Math.min(250, this.width * 0.36);
    return { ...area, x: left, width: this.width - left - ROOM.right };
  }

  xOf(position, { x, width }) {
    const [first, last] = this.record.extent;
    return x + (position - first) / (last - first) * width;
  }

  yOf(index, value, { y, height }) {
    const { low, high, columns: rows } = this.record;
    const share = high > low ? (value - (low + high) / 2) / ((high - low) / 2) : 0;
    return y + height - (index + 0.5 + share * AMPLITUDE) * height / rows.length;
  }

  draw(area) {
    const rows = this.record.columns, every = Math.ceil(15 / (area.height / rows.length));
    rows.forEach((column, index) => {
      const here = column === cursor.column;
      const y = this.yOf(index, (this.record.low + this.record.high) / 2, area);
      this.line([[area.x, y], [area.x + area.width, y]], here ? "border" : "grid");
      if (here || index % every === 0) {
        const label = this.record.labels[index], widest = area.x - 12;
        const words = this.fits(label, widest) ? label : label.replace(/ · pair \d+| · band/g, "");
        this.text(words, area.x - 8, y + 4, { align: "right", ink: here ? "ink" : "muted", widest });
      }
    });
    this.clipped(area, () => this.drawCurves(area));
    let room = 0; // words that would stand over those before them are left out
    tokens.forEach((token) => { room = this.drawToken(token, area, room); });
    const x = this.xOf(cursor.position, area), index = rows.indexOf(cursor.column);
    this.line([[x, area.y], [x, area.y + area.height]], "accent", 1.5);
    if (index >= 0) this.dot(x, this.yOf(index, exactAt(cursor.position, cursor.column), area), "accent", 5);
    ticks(...this.record.extent, area.width / 60).filter(Number.isInteger)
      .forEach((each) => this.text(short(each), this.xOf(each, area), area.y + area.height + 15, { align: "center" }));
    this.text(axis.title, area.x + area.width / 2, area.y + area.height + 30, { align: "center" });
  }

  drawCurves(area) {
    const rowOf = new Map(this.record.columns.map((column, index) => [column, index]));
    for (const { columns: own, count, x, y } of this.lines) {
      own.forEach((column, k) => {
        const points = Array.from({ length: count }, (_, i) => [this.xOf(x[k * count + i], area), this.yOf(rowOf.get(column), y[k * count + i], area)]);
        this.line(points, this.record.parts[rowOf.get(column)], column === cursor.column ? 2.2 : 1.3);
      });
    }
    this.pen.globalAlpha = 0.45;
    for (const { columns: own, count, x, low, high } of this.bands) {
      own.forEach((column, k) => {
        this.pen.fillStyle = colour(this.record.parts[rowOf.get(column)]);
        for (let i = 0; i < count; i++) {
          const left = this.xOf(x[i], area), top = this.yOf(rowOf.get(column), high[k * count + i], area);
          this.pen.fillRect(left, top, this.xOf(x[i + 1], area) - left, Math.max(1, this.yOf(rowOf.get(column), low[k * count + i], area) - top));
        }
      });
    }
    this.pen.globalAlpha = 1;
  }

  drawToken(token, area, room) {
    const x = this.xOf(token.position, area), ink = token.colours[theme()], word = token.text.slice(0, 16);
    this.line([[x, area.y], [x, area.y + area.height]], ink, 1);
    this.record.columns.forEach((column, index) => this.dot(x, this.yOf(index, exactAt(token.position, column), area), ink, 2.5));
    if (x < room) return room;
    this.text(word, x, area.y - 6, { ink });
    return x + this.pen.measureText(word).width + 8;
  }

  dot(x, y, ink, radius) {
    if (!Number.isFinite(y)) return;
    this.pen.fillStyle = style[theme()][ink] ?? ink;
    this.pen.beginPath();
    this.pen.arc(x, y, radius, 0, 2 * Math.PI);
    this.pen.fill();
  }

  at(across, down) {
    const [first, last] = this.record.extent, rows = this.record.columns;
    return [Math.round(first + across * (last - first)), rows[Math.floor((1 - down) * rows.length)]];
  }
}

const shade = (level) => [0, 2, 4].map((part) => parseInt(colour("map").slice(6 * level + part, 6 * level + part + 2), 16));

// Cells as colours: levels 0 to 255 of the theme's colour map, transparent where there is no number.
class Cells {
  constructor(rows, count, numbers, steps) { Object.assign(this, { rows, count, numbers, steps, images: {} }); }

  get image() { return this.images[theme()] ??= this.made(); }

  made() {
    const shades = Array.from({ length: 256 }, (_, level) => shade(level)), image = new ImageData(this.count, this.rows);
    this.steps.forEach((level, i) => image.data.set([...shades[level], Number.isFinite(this.numbers[i]) ? 255 : 0], 4 * i));
    const canvas = new OffscreenCanvas(this.count, this.rows);
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  }
}

class Heatmap extends Figure {
  constructor(record) {
    super("heatmap", "Heatmap", 380);
    this.record = record;
    const key = unpacked(record.key);
    this.key = new Cells(key.length, 1, key, key);
    this.cells = new Cells(table.rows, table.columns, values, levels);
    if (record.note) this.section.append(note(record.note));
  }

  get area() { return { ...super.area, width: this.width - ROOM.left - 72 }; }

  box(position, column, area) {
    const width = area.width / table.columns, height = area.height / table.rows;
    return { x: area.x + place(column) * width, y: area.y + row(position) * height, width, height };
  }

  draw(area) {
    this.pen.imageSmoothingEnabled = false;
    this.pen.drawImage(this.cells.image, area.x, area.y, area.width, area.height);
    this.frame(area);
    this.frame(this.box(cursor.position, cursor.column, area), "accent");
    const label = (first, count, most, draw) => ticks(first, first + count - 1, most).filter(Number.isInteger).forEach(draw);
    label(axis.first, axis.count, area.height / 24, (each) => {
      this.text(short(each), area.x - 6, area.y + (each - axis.first + 0.5) * area.height / axis.count + 4, { align: "right", widest: area.x - 8 });
    });
    label(columns.first, columns.count, area.width / 48, (each) => {
      this.text(short(each), area.x + (each - columns.first + 0.5) * area.width / columns.count, area.y + area.height + 15, { align: "center" });
    });
    this.text(columns.noun, area.x + area.width / 2, area.y + area.height + 30, { align: "center" });
    this.text(axis.noun, 2, 12);
    this.drawKey({ x: area.x + area.width + 12, y: area.y, width: 12, height: area.height });
  }

  drawKey(area) {
    this.pen.drawImage(this.key.image, area.x, area.y, area.width, area.height);
    this.frame(area);
    this.text(this.record.high, area.x + 16, area.y + 9);
    this.text(this.record.low, area.x + 16, area.y + area.height);
  }

  at(across, down) { return [positionOf(Math.floor(down * table.rows)), columnOf(Math.floor(across * table.columns))]; }
}

class Tokens extends Figure {
  constructor(record) {
    const lines = record.names.length * tokens.length;
    super("tokens", "Tokens", clamp(28 * lines, 120, 420) + ROOM.top + ROOM.bottom);
    this.record = record;
    this.values = unpacked(record.values);
    this.levels = unpacked(record.levels);
    this.lines = lines;
    const known = this.values.filter(Number.isFinite), most = known.reduce((least, each) => Math.max(least, Math.abs(each)), 1);
    this.decimals = known.every(Number.isInteger) ? 0 : 3 - Math.floor(Math.log10(most));  // all boxes have as many
    this.cells = new Cells(lines, record.count, this.values, this.levels);
  }

  get area() { return { ...super.area, x: 96, width: this.width - 96 - ROOM.right }; }

  draw(area) {
    const { names, count } = this.record, height = area.height / this.lines, width = area.width / count;
    this.pen.imageSmoothingEnabled = false;
    this.pen.drawImage(this.cells.image, area.x, area.y, area.width, area.height);
    for (let line = 0; line < this.lines; line++) {
      const token = tokens[Math.floor(line / names.length)], y = area.y + line * height;
      const label = line % names.length ? names[line % names.length] : `${token.text} ${names[0]}`;
      if (height >= 9) this.text(this.shortened(label, area.x - 8), area.x - 6, y + height / 2 + 4, { align: "right", ink: line % names.length ? "muted" : token.colours[theme()], widest: area.x - 8 });
      if (line % names.length === 0) this.line([[area.x, y], [area.x + area.width, y]], "border", line ? 2 : 1);
      if (width >= 44 && height >= 12) this.drawNumbers(line, width, { ...area, y, height });
    }
    this.frame(area);
    const at = cursor.column - columns.first + this.record.shift;
    tokens.forEach((token, index) => {
      if (token.position !== cursor.position || at < 0 || at >= count) return;
      this.frame({ x: area.x + at * width, y: area.y + index * names.length * height, width, height: names.length * height }, "accent");
    });
    ticks(0, count - 1, area.width / 48).filter(Number.isInteger)
      .forEach((each) => this.text(short(each + columns.first), area.x + (each + 0.5) * width, area.y + area.height + 15, { align: "center" }));
    this.text(columns.noun, area.x + area.width / 2, area.y + area.height + 30, { align: "center" });
  }

  // A number of a box: with as many decimals as the others, with three digits if one is from 1,000 on.
  written(value) {
    if (this.decimals < 1 && !Number.isInteger(value)) return trueMinus(String(Number(value.toPrecision(3))));
    return trueMinus(value.toFixed(Math.max(0, this.decimals)).replace(/^-(0\.?0*)$/, "$1"));
  }

  drawNumbers(line, width, area) {
    for (let column = 0; column < this.record.count; column++) {
      const index = line * this.record.count + column, [red, green, blue] = shade(this.levels[index]);
      const ink = 0.3 * red + 0.59 * green + 0.11 * blue > 128 ? "#000000" : "#ffffff";
      if (!Number.isFinite(this.values[index])) continue;
      this.text(this.written(this.values[index]), area.x + (column + 0.5) * width, area.y + area.height / 2 + 4, { align: "center", ink, widest: width - 4 });
    }
  }

  at(across, down) {
    const column = Math.floor(across * this.record.count) - this.record.shift + columns.first;
    return [tokens[Math.floor(down * tokens.length)].position, clamp(column, columns.first, columns.first + columns.count - 1)];
  }
}

// Lines over pairs or distances, each on a plot of its own.
class Lines extends Figure {
  constructor(name, title, follows, plot) {
    super(name, title, 150 + 40 * plot.stretch);
    Object.assign(this, { plot, follows, turned: true, x: unpacked(plot.x) });
    this.lines = plot.lines.map((each) => ({ ...each, y: unpacked(each.y), spread: each.spread && unpacked(each.spread) }));
    this.legend = document.createElement("ul");
    this.legend.className = "legend";
    this.section.append(this.legend);
  }

  part(scale, value) {
    const along = scale.logarithmic ? Math.log : (each) => each;
    return (along(value) - along(scale.first)) / (along(scale.last) - along(scale.first));
  }

  point(x, y, area) {
    return [area.x + this.part(this.plot.across, x) * area.width, area.y + (1 - this.part(this.plot.upright, y)) * area.height];
  }

  get marked() {
    if (this.follows === "pair") return pairs && pairs[cursor.column - columns.first] >= 0 ? pairs[cursor.column - columns.first] : NaN;
    return axis.isRelative ? -cursor.position : cursor.position;
  }

  draw(area) {
    this.drawAxes(area);
    for (const band of this.plot.bands) {
      const [left] = this.point(band.first, this.plot.upright.first, area), [right] = this.point(band.last, this.plot.upright.first, area);
      this.pen.globalAlpha = 0.06 + 0.12 * band.tint;
      this.pen.fillStyle = colour("accent");
      this.pen.fillRect(left, area.y, right - left, area.height);
      this.pen.globalAlpha = 1;
      if (this.fits(band.text, right - left)) this.text(band.text, (left + right) / 2, area.y + 12, { align: "center", widest: right - left });
    }
    this.clipped(area, () => this.drawLines(area));
    for (const rule of this.plot.rules) this.drawRule(rule, area);
    const [x] = this.point(this.marked, this.plot.upright.first, area);
    if (x >= area.x && x <= area.x + area.width) this.line([[x, area.y], [x, area.y + area.height]], "accent", 1.5);
    this.frame(area);
    this.tell();
  }

  drawLines(area) {
    for (const line of this.lines) {
      const ink = line.colours[theme()];
      if (line.spread) {
        this.pen.globalAlpha = 0.15;
        this.pen.fillStyle = ink;
        this.pen.beginPath();
        Array.from(this.x, (x, i) => this.pen.lineTo(...this.point(x, line.y[i] + line.spread[i], area)));
        for (let i = this.x.length - 1; i >= 0; i--) this.pen.lineTo(...this.point(this.x[i], line.y[i] - line.spread[i], area));
        this.pen.fill();
        this.pen.globalAlpha = 1;
      }
      this.line(Array.from(this.x, (x, i) => this.point(x, line.y[i], area)), ink, line.width, line.dash);
    }
  }

  drawRule(rule, area) {
    const { across, upright } = this.plot;
    const [x, y] = rule.upright ? this.point(rule.value, upright.first, area) : this.point(across.first, rule.value, area);
    this.line(rule.upright ? [[x, area.y], [x, area.y + area.height]] : [[area.x, y], [area.x + area.width, y]], "muted", 1, [4, 3]);
    if (rule.upright) this.text(rule.text, x + 4, area.y + area.height - 6);
    else this.text(rule.text, area.x + area.width - 4, y - 4, { align: "right" });
  }

  drawAxes(area) {
    const { across, upright } = this.plot;
    const places = (scale, most) => {
      if (!scale.logarithmic) return ticks(scale.first, scale.last, most).filter((each) => !scale.whole || Number.isInteger(each));
      return ticks(Math.log10(scale.first), Math.log10(scale.last), most).filter(Number.isInteger).map((each) => 10 ** each);
    };
    for (const each of places(upright, area.height / 30)) {
      const [, y] = this.point(across.first, each, area);
      this.line([[area.x, y], [area.x + area.width, y]], "grid");
      this.text(short(each), area.x - 6, y + 4, { align: "right", widest: area.x - 8 });
    }
    for (const each of places(across, area.width / 60)) {
      this.text(short(each), this.point(each, upright.first, area)[0], area.y + area.height + 15, { align: "center" });
    }
    this.text(upright.title, 2, 12);
    this.text(across.title, area.x + area.width / 2, area.y + area.height + 30, { align: "center" });
  }

  tell() {
    const index = this.x.findIndex((each) => each >= this.marked);
    this.legend.replaceChildren(...this.lines.map((line) => {
      const item = document.createElement("li"), value = document.createElement("span");
      const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
      Object.entries({ x2: 26, y1: 4, y2: 4, stroke: line.colours[theme()], "stroke-width": line.width, "stroke-dasharray": line.dash.join(" ") })
        .forEach(([key, each]) => stroke.setAttribute(key, each));
      swatch.append(stroke);
      const here = index >= 0 && this.x[index] === this.marked ? line.y[index] : NaN;
      value.textContent = Number.isNaN(here) ? "" : ` ${told(here)}`;
      item.append(swatch, line.name, value);
      return item;
    }));
  }

  at(across) {
    const { first, last } = this.plot.across, x = Math.round(first + across * (last - first));
    if (this.follows === "pair") return [cursor.position, pairs && pairs.includes(x) ? columns.first + pairs.indexOf(x) : cursor.column];
    return [axis.isRelative ? -x : x, cursor.column];
  }
}

function note(text) {
  const line = document.createElement("p");
  line.className = "note";
  line.textContent = text;
  return line;
}

// The derivation: a formula and its steps, whose templates have marks in place of numbers.
function showDerivation() {
  const { templates, lines, cells: known, why } = content.derivations;
  const found = known[`${cursor.position},${cursor.column}`];
  byId("derivation").replaceChildren(...(found ? found.map((index) => step(lines[index], templates)) : [note(why)]));
}

function step([text, template, ...numbers], templates) {
  const block = document.createElement("div"), words = document.createElement("p");
  block.className = "step";
  if (template >= 0) block.innerHTML = templates[template].replace(/‹(\d+)›/g, (_, index) => numbers[index]);
  words.textContent = text;
  block.append(words);
  return block;
}

function moveTo(position, column) {
  const before = [cursor.position, cursor.column];
  cursor.position = clamp(position, axis.first, axis.first + axis.count - 1);
  cursor.column = clamp(column, columns.first, columns.first + columns.count - 1);
  if (before[0] !== cursor.position || before[1] !== cursor.column) show();
}

function show() {
  const value = valueAt(cursor.position, cursor.column);
  byId("words").textContent = words();
  byId("value").textContent = spoken(value);
  byId("value").dataset.exact = String(value);
  byId("held").textContent = cursor.held ? "held" : "";
  byId("slider").value = cursor.position;
  showDerivation();
  requestPaint();
}

let waiting = 0;
function requestPaint() {
  if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; figures.forEach((each) => each.paint()); });
}

// Keys of a figure: position down and column across, or with `turned` the other way round, columns upwards.
function moved(event, turned) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const many = event.shiftKey ? 10 : 1;
  if (steps) {
    const [down, across] = turned ? [steps[1], -steps[0]] : steps;
    const cell = [row(cursor.position) + many * down, place(cursor.column) + many * across];
    moveTo(positionOf(clamp(cell[0], 0, table.rows - 1)), columnOf(clamp(cell[1], 0, table.columns - 1)));
  } else if (event.key === "Home" || event.key === "End") {
    moveTo(event.key === "Home" ? axis.first : axis.first + axis.count - 1, cursor.column);
  } else if (event.key === "Enter" || event.key === "Escape") {
    cursor.held = event.key === "Enter";
    show();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

const FIGURES = {
  waves: (record) => new Waves(record),
  heatmap: (record) => new Heatmap(record),
  tokens: (record) => new Tokens(record),
};

function start() {
  byId("caption").textContent = content.caption;
  byId("slider-name").textContent = axis.title;
  Object.assign(byId("slider"), { min: axis.first, max: axis.first + axis.count - 1 });
  byId("slider").addEventListener("input", (event) => moveTo(Number(event.target.value), cursor.column));
  byId("slider").addEventListener("keydown", (event) => event.stopPropagation());
  byId("notes").append(...content.notes.map((each) => Object.assign(document.createElement("li"), { textContent: each })));
  for (const { name, record } of content.drawn) FIGURES[name](record);
  for (const { name, title, follows, plots } of content.lines) {
    plots.forEach((plot, index) => new Lines(index ? `${name}-${index}` : name, title, follows, plot));
  }
  document.addEventListener("keydown", (event) => moved(event, false));
  dark.addEventListener("change", requestPaint);
  new ResizeObserver(requestPaint).observe(byId("figures"));
  show();
}

start();
