export { createShop, type Shop, type ShopOptions } from './create-shop.js';
