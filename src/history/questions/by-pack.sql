-- Completed orders and revenue of each number of coins.
SELECT quantityM, SUM(completedOn IS NOT NULL) AS completed, SUM(revenueCents) AS revenueCents
  FROM orders WHERE NOT isDeleted GROUP BY 1 ORDER BY 1
